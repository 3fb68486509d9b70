package gitops

import (
	"context"

	"chant/gitops/layout"
)

// target is what a commit moves: a ref, or with "HEAD" the detached head of a worktree.
type target struct {
	layout.Place
	ref string
}

func (r *Repo) target(ctx context.Context, o CommitOptions) (target, error) {
	p, err := r.site.Place(o.Dir)
	if err != nil {
		return target{}, err
	}
	branch := o.Branch
	if branch == "" {
		head, err := r.headOf(ctx, p)
		if err != nil {
			return target{}, err
		}
		if head.Branch == "" {
			return target{Place: p, ref: "HEAD"}, nil
		}
		branch = head.Branch
	}
	if err := layout.ValidBranch(branch); err != nil {
		return target{}, err
	}
	return target{Place: p, ref: layout.Heads + branch}, nil
}

// checkedOut lists the worktrees that have the target checked out.
func (r *Repo) checkedOut(ctx context.Context, t target) ([]layout.Place, error) {
	if t.ref == "HEAD" {
		return []layout.Place{t.Place}, nil
	}
	all, err := r.site.Places()
	if err != nil {
		return nil, err
	}
	var those []layout.Place
	for _, p := range all {
		head, err := r.headOf(ctx, p)
		if err != nil || layout.Heads+head.Branch != t.ref {
			continue // unborn, gone, or something else checked out
		}
		those = append(those, p)
	}
	return those, nil
}
