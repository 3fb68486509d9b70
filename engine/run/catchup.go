package run

import (
	"context"
	"errors"
	"slices"

	"chant/engine/run/attempt"
	"chant/engine/run/judge"
	"chant/engine/spec"
)

// rebase replays the run's branch on the target, and returns the target's tip. A rescue ref keeps the old tip, and the
// criteria that count are those of the replayed start commit. Commits that were dropped from the target are not
// replayed.
func (r *Run) rebase(ctx context.Context) (string, error) {
	old, err := r.tidy(ctx)
	if err != nil {
		return "", err
	}
	target, err := r.TargetTip(ctx)
	if err != nil {
		return "", err
	}
	// Replaying from the fork instead would bring back commits that were dropped from the target.
	base, err := r.Base(ctx)
	if err != nil {
		return "", err
	}
	clashes, err := r.Trees.Rebase(ctx, old, base, target)
	if len(clashes) > 0 {
		return "", errors.Join(r.Lander.Clash(clashes, judge.NoReplay), err)
	}
	if err != nil {
		return "", err
	}
	r.Journal.CaughtUp(target)
	return target, r.trustReplayed(ctx)
}

// tidy brings the worktree into a state in which git can merge or rebase, and returns the tip of the branch.
func (r *Run) tidy(ctx context.Context) (string, error) {
	if err := r.Trees.OnBranch(ctx); err != nil {
		return "", err
	}
	if stuck, err := r.Trees.FindUnfinished(ctx); err != nil {
		return "", err
		// A rebase or merge of the agent is reported, since committing its leftovers would conclude it.
	} else if stuck != nil {
		return "", stuck
	}
	if err := r.Trees.Leftovers(ctx); err != nil {
		return "", err
	}
	return r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
}

// trustReplayed finds the start commit among the replayed ones. Only chant has changed the worktree since the old one
// was found on the branch.
func (r *Run) trustReplayed(ctx context.Context) error {
	if r.Job.Silent || r.Journal.History().Trusted == nil || r.Journal.History().Trusted.Commit == "" {
		return nil
	}
	was, err := r.Repo.ReadCommit(ctx, r.Journal.History().Trusted.Commit)
	if err != nil {
		return err
	}
	commits, err := r.Repo.Log(ctx, "refs/heads/"+r.Job.Target, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	// Oldest first: an agent can repeat the message in a later commit of its own.
	for _, c := range slices.Backward(commits) {
		if c.Message == was.Message {
			t := *r.Journal.History().Trusted
			// Where the trusted text counts, the commit only has to be found again.
			if t.Text == "" {
				if err := r.checkReplayedCriteria(ctx, c.Hash); err != nil {
					return err
				}
			}
			t.Commit = c.Hash
			return r.Journal.Trust(t)
		}
	}
	// The branch was squashed: what its start commit asked for still counts.
	start, err := r.Trusted(ctx)
	if err != nil {
		return err
	}
	t := *r.Journal.History().Trusted
	t.Commit, t.Text, t.Approval = "", string(start.Doc.Bytes()), r.Guard.ApprovedStart(start)
	return r.Journal.Trust(t)
}

// checkReplayedCriteria checks that a replayed start commit has the criteria that count: on a branch that was rewritten before,
// anything could have written it.
func (r *Run) checkReplayedCriteria(ctx context.Context, start string) error {
	counts, err := r.Trusted(ctx)
	if err != nil {
		return err
	}
	replayed, err := r.SpecAt(ctx, start)
	if err != nil {
		return err
	}
	// A message proves nothing: an agent can write one, so the criteria are compared.
	return attempt.TamperFailure(append(spec.WeakenedChecks(counts, replayed), spec.LoosenedRequirements(counts, replayed, r.Settings.Required)...))
}
