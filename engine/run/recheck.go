package run

import (
	"context"
	"errors"
	"fmt"

	"chant/engine/journal"
	"chant/engine/spec"
)

// recheck runs the criteria again on the merged tree, unless that tree is the one on
// which this very process has run them: what another process is said to have found
// lies where an agent can write.
func (r *Run) recheck(ctx context.Context, target, tip, merge string) error {
	base, err := r.base(ctx)
	if err != nil {
		return err
	}
	judged, err := r.underDecisions(ctx, tip)
	if err != nil {
		return err
	}
	if base == target && r.judged == judged {
		return nil
	}
	why := fmt.Sprintf("%q has moved since", r.Job.Target)
	if base == target {
		why = "another process ran them for this commit"
	}
	r.emit(journal.Land, "step", "running the criteria on the merged tree: %s", why)
	before, err := r.around(ctx)
	if err != nil {
		return err
	}
	if err := r.judgeMerged(ctx, merge); err != nil {
		return r.keepChanged(err)
	}
	if err := r.onlyJudged(ctx, before); err != nil {
		return err
	}
	return r.unmoved(ctx, tip)
}

// judgeMerged judges the criteria in a clean worktree of the merge commit.
func (r *Run) judgeMerged(ctx context.Context, merge string) error {
	return r.InPlace(ctx, merge, true, func(place Place) error {
		now, err := r.specAt(ctx, merge)
		if err != nil {
			return err
		}
		start, err := r.believed(ctx, now)
		if err != nil {
			return err
		}
		if r.Report, err = r.JudgeIn(ctx, place, start, now); err != nil {
			return err
		}
		if f, unmet := errors.AsType[*journal.Failure](r.MayComplete(r.Report)); unmet {
			f.Kind, f.Message, f.Next = spec.ReasonMergedTree, "on the merged tree "+f.Message, r.wayOut()
			return f
		}
		return r.Untouched(ctx, place)
	})
}

// specAt reads the run's spec as a commit has it, home's where git ignores .chant.
func (r *Run) specAt(ctx context.Context, commit string) (*spec.Spec, error) {
	if r.Job.Silent {
		return r.Store.FromHome(r.Job.ID)
	}
	return r.Store.At(ctx, commit, r.Job.ID)
}
