package tree

import (
	"context"
	"errors"
	"fmt"

	"chant/gitops"
)

// HandOver removes the worktree and the branch of a run whose branch is at this commit in a remote, from where another
// machine continues. Whatever else the worktree holds is kept by a rescue ref.
func HandOver(ctx context.Context, t *Trees, pushed string) error {
	_, foreign, err := t.FindTree(ctx)
	if err == nil {
		err = t.checkedOut(foreign)
	}
	if err == nil {
		err = t.RemoveTree(ctx)
	}
	if err != nil {
		return err
	}
	ref := "refs/heads/" + t.Job.Branch
	tip, err := t.Repo.Resolve(ctx, ref)
	if errors.Is(err, gitops.ErrNotFound) {
		return t.dropped(ctx)
	}
	if err != nil {
		return err
	}
	if tip != pushed {
		return fmt.Errorf("branch %q is at %s, and the remote has %s: it stays", t.Job.Branch, tip, pushed)
	}
	if err := deleteBranch(ctx, t, tip); err != nil {
		return err
	}
	if err := recordDrop(ctx, t, tip); err != nil {
		return err
	}
	return t.Store.ClearCache(t.Job.ID)
}
