package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"chant/gitops"
)

// RescueRefs is where the tips of branches live on that had to go.
const RescueRefs = "refs/chant/rescue/"

// clean removes what a landed run no longer needs.
func (r *Run) clean(ctx context.Context) error {
	if r.KeepTree {
		return r.Store.ClearCache(r.Job.ID)
	}
	if err := r.removeTree(ctx); err != nil {
		return err
	}
	if r.Landed {
		if err := r.DropBranch(ctx); err != nil {
			return err
		}
	}
	return r.Store.ClearCache(r.Job.ID)
}

// removeTree removes the run's worktree; what is uncommitted in it is committed
// beside the branch and kept by a rescue ref first.
func (r *Run) removeTree(ctx context.Context) error {
	tree, err := r.findTree(ctx)
	if err != nil || tree == "" {
		return err
	}
	if _, err := os.Stat(tree); errors.Is(err, fs.ErrNotExist) {
		return r.Repo.PruneWorktrees(ctx)
	}
	left, err := r.Repo.Snapshot(ctx, tree, r.message("rescue", "What was uncommitted when the worktree was removed."))
	if err != nil {
		return err
	}
	if left == "" {
		left, err = r.strayed(ctx, tree)
	}
	if err != nil {
		return err
	}
	if left != "" {
		if r.Rescued, err = Rescue(ctx, r.Repo, r.Job.ID, left); err != nil {
			return err
		}
		r.emit(Clean, "warning", "kept what only the worktree had as %s", r.Rescued)
	}
	return r.Repo.RemoveWorktree(ctx, tree, true)
}

// strayed is the commit a tree has checked out when no branch holds it.
func (r *Run) strayed(ctx context.Context, tree string) (string, error) {
	head, err := r.Repo.Head(ctx, tree)
	if err != nil || head.Branch != "" {
		return "", err
	}
	known, err := r.Repo.IsAncestor(ctx, head.Hash, "refs/heads/"+r.Job.Branch)
	if err != nil || known {
		return "", err
	}
	return head.Hash, nil
}

// DropBranch deletes the run's branch. A tip that the target does not contain,
// as after a squash, is kept by a rescue ref.
func (r *Run) DropBranch(ctx context.Context) error {
	ref := "refs/heads/" + r.Job.Branch
	tip, err := r.Repo.Resolve(ctx, ref)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	merged, err := r.Repo.IsAncestor(ctx, tip, "refs/heads/"+r.Job.Target)
	if err != nil {
		return err
	}
	work, err := r.agentCommits(ctx, tip)
	if err != nil {
		return err
	}
	if !merged && len(work) > 0 {
		if r.Rescued, err = Rescue(ctx, r.Repo, r.Job.ID, tip); err != nil {
			return err
		}
	}
	if err := r.Repo.DeleteRef(ctx, ref, tip); err != nil {
		return err
	}
	return r.record(Drop, Done, r.Rescued)
}

// Drop ends a run without landing it: its agent is stopped, its work is kept by
// a rescue ref, its worktree and branch go. It returns that ref, "" when there
// was nothing to keep.
func (r *Run) Drop(ctx context.Context) (string, error) {
	if err := r.removeTree(ctx); err != nil {
		return "", err
	}
	if err := r.DropBranch(ctx); err != nil {
		return "", err
	}
	return r.Rescued, r.Store.ClearCache(r.Job.ID)
}

// Rescue keeps a commit under refs/chant/rescue/<id>/<n> and returns the ref.
func Rescue(ctx context.Context, repo *gitops.Repo, id, commit string) (string, error) {
	for n := 1; ; n++ {
		ref := fmt.Sprintf("%s%s/%d", RescueRefs, id, n)
		have, err := repo.Resolve(ctx, ref)
		switch {
		case err == nil && have == commit:
			return ref, nil
		case err == nil:
			continue
		case !errors.Is(err, gitops.ErrNotFound):
			return "", err
		}
		err = repo.UpdateRef(ctx, ref, commit, "", "chant: rescue "+id)
		if !errors.Is(err, gitops.ErrChanged) {
			return ref, err
		}
	}
}
