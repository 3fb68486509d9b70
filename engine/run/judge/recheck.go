package judge

import (
	"context"
	"errors"
	"fmt"

	"chant/engine/journal"
	"chant/engine/run/place"
	"chant/engine/spec"
)

// Recheck runs the criteria again on the merged tree, unless that tree is the one on
// which this very process has run them: what another process is said to have found
// lies where an agent can write.
func (j *Judge) Recheck(ctx context.Context, target, tip, merge string) error {
	base, err := j.Base(ctx)
	if err != nil {
		return err
	}
	judged, err := j.Guard.UnderDecisions(ctx, tip)
	if err != nil {
		return err
	}
	if base == target && j.Judged == judged {
		return nil
	}
	why := fmt.Sprintf("%q has moved since", j.Job.Target)
	if base == target {
		why = "another process ran them for this commit"
	}
	j.Announce(journal.Land, "step", "running the criteria on the merged tree: %s", why)
	before, err := j.Guard.Around(ctx)
	if err != nil {
		return err
	}
	if err := j.judgeMerged(ctx, merge); err != nil {
		return j.Places.KeepChanged(err)
	}
	if err := j.Guard.OnlyJudged(ctx, before); err != nil {
		return err
	}
	return j.Unmoved(ctx, tip)
}

// judgeMerged judges the criteria in a clean worktree of the merge commit.
func (j *Judge) judgeMerged(ctx context.Context, merge string) error {
	return j.Places.InPlace(ctx, merge, true, func(place place.Place) error {
		now, err := j.SpecAt(ctx, merge)
		if err != nil {
			return err
		}
		start, err := j.believed(ctx, now)
		if err != nil {
			return err
		}
		if j.Report, err = j.JudgeIn(ctx, place, start, now); err != nil {
			return err
		}
		if f, unmet := errors.AsType[*journal.Failure](j.MayComplete(j.Report)); unmet {
			f.Kind, f.Message, f.Next = spec.ReasonMergedTree, "on the merged tree "+f.Message, j.WayOut()
			return f
		}
		return j.Places.Untouched(ctx, place)
	})
}
