package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
)

// leftovers commits on the branch what lies uncommitted in the tree. Nothing an
// agent has written is only in a working tree for longer than its run. What git
// cannot commit as it is (unfinished) stays where it is.
func (r *Run) leftovers(ctx context.Context) error {
	if r.Tree == "" || !r.whole(r.Tree) {
		return nil
	}
	if stuck, err := r.unfinished(ctx); err != nil || stuck != nil {
		return err
	}
	return r.commitLeftovers(ctx)
}

// commitLeftovers commits what lies uncommitted in a tree that can be committed.
func (r *Run) commitLeftovers(ctx context.Context) error {
	commit, err := r.commitAll(ctx)
	if err == nil && commit != "" {
		r.collected = commit
		r.emit(journal.Collect, "step", "committed what was left uncommitted as %s", short(commit))
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
	r.emit(journal.Collect, "warning", "removed the lock that a killed git had left on the index of the worktree")
	return r.Repo.CommitAll(ctx, r.Tree, message)
}

// unfinished is the failure of a tree that cannot be committed as it is, nil of any
// other: a merge was not ended, or repositories inside it would be lost.
func (r *Run) unfinished(ctx context.Context) (*journal.Failure, error) {
	why, err := r.uncommittable(ctx)
	if err != nil {
		return nil, err
	}
	if why == "" {
		return r.unsaved(ctx, r.Tree)
	}
	return &journal.Failure{Kind: spec.ReasonStrayed, Message: fmt.Sprintf("the worktree has %s (%q)", why, r.Tree), Next: fmt.Sprintf("git -C %q status", r.Tree)}, nil
}

func (r *Run) uncommittable(ctx context.Context) (string, error) {
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
