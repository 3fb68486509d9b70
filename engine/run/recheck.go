package run

import (
	"context"
	"errors"
	"fmt"

	"chant/engine/verify"
)

// recheck runs the criteria again on the merged tree, unless that tree is the
// one they already ran on: the target has not moved and this process or its
// journal vouches for the complete commit.
func (r *Run) recheck(ctx context.Context, target, tip, merge string) error {
	base, err := r.base(ctx)
	if err != nil {
		return err
	}
	if base == target && (r.Commit == tip || r.vouched(tip)) {
		return nil
	}
	why := fmt.Sprintf("%q has moved since", r.Job.Target)
	if base == target {
		why = "no journal tells of them for this commit"
	}
	r.emit(Land, "step", "running the criteria on the merged tree: %s", why)
	return r.InTree(ctx, merge, func(tree string) error {
		verdicts, err := r.check(ctx, tree)
		if err != nil {
			return err
		}
		r.Verdicts = verdicts
		if !verify.Holds(verdicts) {
			f := Unmet(verdicts)
			f.Message = "on the merged tree " + f.Message
			return f
		}
		return r.note(ctx, merge)
	})
}

func (r *Run) vouched(tip string) bool {
	for _, a := range r.History.Attempts {
		if a.Commit == tip {
			return true
		}
	}
	return false
}

// InTree runs do in a worktree of its own that has commit checked out and set
// up, and removes it afterwards.
func (r *Run) InTree(ctx context.Context, commit string, do func(tree string) error) error {
	path, err := r.treePath(".check-" + r.Job.ID + "-" + short(commit))
	if err != nil {
		return err
	}
	calm := context.WithoutCancel(ctx)
	if err := r.dropTree(calm, path); err != nil { // left by a process that was killed
		return err
	}
	if err := r.Repo.AddDetached(ctx, path, commit); err != nil {
		return errors.Join(err, r.dropTree(calm, path))
	}
	if err = r.setup(ctx, path); err == nil {
		err = do(path)
	}
	return errors.Join(err, r.dropTree(calm, path))
}

func (r *Run) dropTree(ctx context.Context, path string) error {
	trees, err := r.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if samePath(t.Path, path) {
			return r.Repo.RemoveWorktree(ctx, t.Path, true)
		}
	}
	return nil
}
