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

// Uncommitted reports whether home's copy of a spec holds edits that no commit has,
// staged or not. One that git does not know yet holds none: it is new as a whole.
func Uncommitted(ctx context.Context, p *Project, id string) (bool, error) {
	all, err := p.Repo.Status(ctx, Home(p), store.SpecPath(id))
	return slices.ContainsFunc(all, func(s gitops.StatusEntry) bool { return s.Path == store.SpecPath(id) && s.Code != "??" }), err
}

// CommitHint is the command that commits home's copy of a spec, without an editor.
func CommitHint(id string) string {
	return fmt.Sprintf("git commit -m %q %s", "Edit "+id, store.SpecPath(id))
}

// AfterCommit is the next step, or the commit without which that is refused: approve is about what is
// committed.
func AfterCommit(ctx context.Context, p *Project, next string) string {
	id, approves := strings.CutPrefix(next, "chant approve ")
	if !approves || strings.Contains(id, " ") {
		return next
	}
	if edited, err := Uncommitted(ctx, p, id); err == nil && edited {
		return CommitHint(id)
	}
	return next
}

// CommittedFirst is afterCommit for the hint of an error.
func CommittedFirst(ctx context.Context, p *Project, err error) error {
	if known, ok := errors.AsType[*Error](err); ok && err != nil {
		known.Hint = AfterCommit(context.WithoutCancel(ctx), p, known.Hint)
	}
	return err
}
