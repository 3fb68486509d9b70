package gitops

import "context"

// target is what a commit moves: a ref, or with "HEAD" the detached head of a worktree.
type target struct {
	place
	ref string
}

func (r *Repo) target(ctx context.Context, o CommitOptions) (target, error) {
	p, err := r.place(o.Dir)
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
			return target{place: p, ref: "HEAD"}, nil
		}
		branch = head.Branch
	}
	if err := validBranch(branch); err != nil {
		return target{}, err
	}
	return target{place: p, ref: heads + branch}, nil
}

// checkedOut lists the worktrees that have the target checked out.
func (r *Repo) checkedOut(ctx context.Context, t target) ([]place, error) {
	if t.ref == "HEAD" {
		return []place{t.place}, nil
	}
	all, err := r.places()
	if err != nil {
		return nil, err
	}
	var those []place
	for _, p := range all {
		head, err := r.headOf(ctx, p)
		if err != nil || heads+head.Branch != t.ref {
			continue // unborn, gone, or something else checked out
		}
		those = append(those, p)
	}
	return those, nil
}
