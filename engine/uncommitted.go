package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/store"
	"chant/gitops"
)

// uncommitted reports whether home's copy of a spec holds edits that no commit has,
// staged or not. One that git does not know yet holds none: it is new as a whole.
func (e *Engine) uncommitted(ctx context.Context, id string) (bool, error) {
	all, err := e.repo.Status(ctx, e.Home(), store.SpecPath(id))
	return slices.ContainsFunc(all, func(s gitops.StatusEntry) bool { return s.Path == store.SpecPath(id) && s.Code != "??" }), err
}

// commitHint is the command that commits home's copy of a spec, without an editor.
func commitHint(id string) string {
	return fmt.Sprintf("git commit -m %q %s", "Edit "+id, store.SpecPath(id))
}

// afterCommit is the next step, or the commit without which that is refused: approve is about what is
// committed.
func (e *Engine) afterCommit(ctx context.Context, next string) string {
	id, approves := strings.CutPrefix(next, "chant approve ")
	if !approves || strings.Contains(id, " ") {
		return next
	}
	if edited, err := e.uncommitted(ctx, id); err == nil && edited {
		return commitHint(id)
	}
	return next
}

// committedFirst is afterCommit for the hint of an error.
func (e *Engine) committedFirst(ctx context.Context, err error) error {
	if known, ok := errors.AsType[*Error](err); ok && err != nil {
		known.Hint = e.afterCommit(context.WithoutCancel(ctx), known.Hint)
	}
	return err
}
