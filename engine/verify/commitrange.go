package verify

import (
	"context"
	"errors"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/gitops"
)

// changes is what a range of commits brings.
type changes struct {
	from, to string // commits; from is where the two sides parted
	commits  []gitops.Commit
}

// changesOf reads A..B, A...B, and A for A..HEAD.
func changesOf(ctx context.Context, p *engine.Project, text string) (*changes, error) {
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
		hash, err := p.Repo.Resolve(ctx, end.name)
		if errors.Is(err, gitops.ErrNotFound) {
			return nil, notHere(p, "there is no commit %q here", spec.Echo(end.name))
		}
		if err != nil {
			return nil, err
		}
		*end.into = hash
	}
	base, err := p.Repo.MergeBase(ctx, c.from, c.to)
	switch {
	case errors.Is(err, gitops.ErrNotFound):
		return nil, notHere(p, "%q and %q have no history in common here", spec.Echo(a), spec.Echo(b))
	case err != nil:
		return nil, err
	}
	c.from = base
	c.commits, err = p.Repo.Log(ctx, c.from, c.to)
	return c, err
}

// notHere is the error of commits that are missing: in a shallow clone they may only be
// cut off.
func notHere(p *engine.Project, format string, args ...any) error {
	if p.Repo.Shallow() {
		return engine.Fail(engine.NotFound, next.Shell("git fetch --unshallow"), format+"; the history of this clone is cut off", args...)
	}
	return engine.Fail(engine.NotFound, next.Shell("git log --oneline"), format, args...)
}
