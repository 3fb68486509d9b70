package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// leftovers commits on the branch what lies uncommitted in the tree. Nothing an
// agent has written is only in a working tree for longer than its run. What git
// cannot commit as it is (unfinished) stays where it is.
func (r *Run) leftovers(ctx context.Context) error {
	if r.Tree == "" || !whole(r.Tree) {
		return nil
	}
	if why, err := r.unfinished(ctx); err != nil || why != "" {
		return err
	}
	commit, err := r.commitAll(ctx)
	if err == nil && commit != "" {
		r.collected = commit
		r.emit(Collect, "step", "committed what was left uncommitted as %s", short(commit))
	}
	return err
}

// commitAll commits the tree. A lock on its index that outlives every retry was
// left by a git of the agent's, for all processes of the run are dead.
func (r *Run) commitAll(ctx context.Context) (string, error) {
	message := r.message("leftovers", "What the agent left uncommitted.")
	commit, err := r.Repo.CommitAll(ctx, r.Tree, message)
	if err == nil || ctx.Err() != nil {
		return commit, err
	}
	broken, lockErr := r.Repo.BreakLock(r.Tree)
	if lockErr != nil || !broken {
		return commit, errors.Join(err, lockErr)
	}
	r.emit(Collect, "warning", "removed the lock that a killed git had left on the index of the worktree")
	return r.Repo.CommitAll(ctx, r.Tree, message)
}

// unfinished says what keeps a tree from being committed as it is: a merge that
// was not ended, or repositories inside it.
func (r *Run) unfinished(ctx context.Context) (string, error) {
	unmerged, underway, err := r.Repo.Unmerged(ctx, r.Tree)
	if err != nil {
		return "", err
	}
	if len(unmerged) > 0 {
		return fmt.Sprintf("unresolved conflicts in %s", strings.Join(unmerged, ", ")), nil
	}
	if underway != "" {
		return "an unfinished " + underway, nil
	}
	nested, err := r.Repo.NestedRepositories(ctx, r.Tree)
	if err != nil || len(nested) == 0 {
		return "", err
	}
	return fmt.Sprintf("a repository of its own in %s, whose content would be lost", strings.Join(nested, ", ")), nil
}
