package engine

import (
	"context"
	"slices"

	"chant/engine/store"
	"chant/gitops"
)

// uncommitted reports whether home's copy of a spec holds edits that no commit has,
// staged or not. One that git does not know yet holds none: it is new as a whole.
func (e *Engine) uncommitted(ctx context.Context, id string) (bool, error) {
	all, err := e.repo.Status(ctx, e.Home(), store.SpecPath(id))
	return slices.ContainsFunc(all, func(s gitops.StatusEntry) bool { return s.Path == store.SpecPath(id) && s.Code != "??" }), err
}
