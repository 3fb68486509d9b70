package engine

import (
	"context"
	"errors"
	"strings"

	"chant/engine/spec"
	"chant/gitops"
)

// changes is what a range of commits brings.
type changes struct {
	from, to string // commits; from is where the two sides parted
	commits  []gitops.Commit
}

// changesOf reads A..B, A...B, and A for A..HEAD.
func (e *Engine) changesOf(ctx context.Context, text string) (*changes, error) {
	a, b, ranged := strings.Cut(strings.Replace(text, "...", "..", 1), "..")
	if !ranged || b == "" {
		b = "HEAD"
	}
	if a == "" {
		a = "HEAD"
	}
	c := &changes{}
	for _, end := range []struct {
		name string
		into *string
	}{{a, &c.from}, {b, &c.to}} {
		hash, err := e.repo.Resolve(ctx, end.name)
		if errors.Is(err, gitops.ErrNotFound) {
			return nil, e.notHere("there is no commit %q here", spec.Echo(end.name))
		}
		if err != nil {
			return nil, err
		}
		*end.into = hash
	}
	base, err := e.repo.MergeBase(ctx, c.from, c.to)
	switch {
	case errors.Is(err, gitops.ErrNotFound):
		return nil, e.notHere("%q and %q have no history in common here", spec.Echo(a), spec.Echo(b))
	case err != nil:
		return nil, err
	}
	c.from = base
	c.commits, err = e.repo.Log(ctx, c.from, c.to)
	return c, err
}

// notHere is the error of commits that are missing: in a shallow clone they may only be
// cut off.
func (e *Engine) notHere(format string, args ...any) error {
	if e.repo.Shallow() {
		return fail(NotFound, "git fetch --unshallow", format+"; the history of this clone is cut off", args...)
	}
	return fail(NotFound, "git log --oneline", format, args...)
}
