package gitindex

import (
	"context"

	"chant/gitops/layout"
)

// Target is what a commit moves: a ref, or with "HEAD" the detached head of a worktree.
type Target struct {
	layout.Place
	Ref string
}

// checkedOut lists the worktrees that have the target checked out.
func (x *Index) checkedOut(ctx context.Context, t Target) ([]layout.Place, error) {
	if t.Ref == "HEAD" {
		return []layout.Place{t.Place}, nil
	}
	all, err := x.Site.Places()
	if err != nil {
		return nil, err
	}
	var those []layout.Place
	for _, p := range all {
		head, err := x.Refs.HeadOf(ctx, p)
		if err != nil || layout.Heads+head.Branch != t.Ref || !x.Site.MayHave(p, head.Branch) {
			continue // unborn, gone, or something else checked out
		}
		those = append(those, p)
	}
	return those, nil
}
