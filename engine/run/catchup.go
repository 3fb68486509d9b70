package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
)

// rebase replays the run's branch on the target, and returns the target's tip. The old
// tip is kept by a rescue ref, and the criteria that count are those of the replayed start
// commit. Commits that were dropped from the target are not replayed.
func (r *Run) rebase(ctx context.Context) (string, error) {
	old, err := r.tidy(ctx)
	if err != nil {
		return "", err
	}
	target, err := r.landsOn(ctx)
	if err != nil {
		return "", err
	}
	base, err := r.base(ctx)
	if err != nil {
		return "", err
	}
	kept, made, err := keep(ctx, r.Repo, r.Job.ID, old)
	if err != nil {
		return "", err
	}
	r.catching = true
	clashes, err := r.Repo.Rebase(ctx, r.Tree, base, target)
	if len(clashes) > 0 {
		err = r.clash(clashes, noReplay)
	}
	if len(clashes) > 0 && made { // the branch is as it was: nothing is kept that it does not hold
		dropErr := r.Repo.DeleteRef(ctx, kept, old)
		if dropErr == nil {
			return "", err
		}
		err = errors.Join(err, dropErr)
	}
	r.Rescued = append(r.Rescued, kept)
	if err != nil {
		return "", err
	}
	r.caughtTo = target
	return target, r.trustReplayed(ctx)
}

// tidy brings the tree into a state that git can merge or rebase, and returns the
// tip of the branch.
func (r *Run) tidy(ctx context.Context) (string, error) {
	if err := r.onBranch(ctx); err != nil {
		return "", err
	}
	if stuck, err := r.unfinished(ctx); err != nil {
		return "", err
	} else if stuck != nil {
		return "", stuck
	}
	if err := r.leftovers(ctx); err != nil {
		return "", err
	}
	return r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
}

// How a branch conflicts with its target.
const (
	noMerge  = "does not merge with"
	noReplay = "cannot be replayed on"
)

// clash is the failure of a branch that conflicts with the target.
func (r *Run) clash(files []string, how string) *journal.Failure {
	return &journal.Failure{
		Kind: spec.ReasonConflict, Details: files, Next: r.wayOut(),
		Message: fmt.Sprintf("%q %s %q: conflict in %s", r.Job.Branch, how, r.Job.Target, strings.Join(files, ", ")),
	}
}

// trustReplayed finds the start commit among the replayed ones. Nobody but us has
// touched the tree since the old one was found on the branch.
func (r *Run) trustReplayed(ctx context.Context) error {
	if r.Job.Silent || r.History.Trusted == nil || r.History.Trusted.Commit == "" {
		return nil
	}
	was, err := r.Repo.ReadCommit(ctx, r.History.Trusted.Commit)
	if err != nil {
		return err
	}
	commits, err := r.Repo.Log(ctx, "refs/heads/"+r.Job.Target, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	for _, c := range slices.Backward(commits) { // oldest first
		if c.Message == was.Message {
			t := *r.History.Trusted
			if t.Text == "" { // else that counts, and not what the commit asks for
				if err := r.sameCriteria(ctx, c.Hash); err != nil {
					return err
				}
			}
			t.Commit = c.Hash
			return r.trust(t)
		}
	}
	// The branch was squashed: what its start commit asked for still counts.
	start, err := r.trusted(ctx)
	if err != nil {
		return err
	}
	t := *r.History.Trusted
	t.Commit, t.Text, t.Approval = "", string(start.Doc.Bytes()), r.approvedStart(start)
	return r.trust(t)
}

// sameCriteria checks that a replayed start commit asks for what the one asked for that
// counts: on a branch that was rewritten before, it may be of anybody's making.
func (r *Run) sameCriteria(ctx context.Context, start string) error {
	counts, err := r.trusted(ctx)
	if err != nil {
		return err
	}
	replayed, err := r.specAt(ctx, start)
	if err != nil {
		return err
	}
	return tampered(append(spec.Weakened(counts, replayed), spec.Loosened(counts, replayed, r.Settings.Required)...))
}

// takeBack ends a merge or rebase of ours that did not get to its end, in this
// process or in one that was killed. What lies in the tree is kept first, and the
// tree is then as clean as tidy had made it.
func (r *Run) takeBack(ctx context.Context) error {
	if r.Tree == "" || !r.whole(r.Tree) || !r.caughtUp() {
		return nil
	}
	_, underway, err := r.Repo.Unmerged(ctx, r.Tree)
	if err != nil || underway == "" {
		return err
	}
	left, err := r.Repo.Snapshot(ctx, r.Tree, r.message("rescue", "Conflicts as far as they were resolved."))
	if err == nil && left != "" {
		err = r.rescue(ctx, left)
	}
	if err != nil {
		return err
	}
	if err := r.Repo.Abort(ctx, r.Tree); err != nil {
		return err
	}
	return r.Repo.RemoveUntracked(ctx, r.Tree)
}

// caughtUp tells whether what is under way in the tree may be of our doing.
func (r *Run) caughtUp() bool {
	if r.catching {
		return true
	}
	last := r.History.Last()
	return last != nil && (last.HalfDone(journal.Rebase) || last.HalfDone(journal.Resolve))
}
