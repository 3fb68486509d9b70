package judge

import (
	"context"
	"errors"
	"fmt"

	"chant/engine/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/place"
	"chant/engine/spec"
)

// Recheck runs the criteria again on the merged tree, unless this process has run them on the same tree. What another
// process has found does not count: an agent can write to where it is recorded.
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
	if err := j.Guard.CheckAfterCriteria(ctx, before); err != nil {
		return err
	}
	return j.Unmoved(ctx, tip)
}

// judgeMerged checks the criteria in a clean worktree of the merge commit.
func (j *Judge) judgeMerged(ctx context.Context, merge string) error {
	return j.Places.InPlace(ctx, merge, true, func(place place.Place) error {
		now, err := j.SpecAt(ctx, merge)
		if err != nil {
			return err
		}
		start, err := j.trustedSpec(ctx, now)
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

// Note stores the evidence as a git note on the commit that it is about.
func (j *Judge) Note(ctx context.Context, commit string) error {
	report := j.Report
	report.Commit = commit
	text, err := report.Encode()
	if err != nil {
		return err
	}
	return j.Repo.AddNote(ctx, attempt.NotesRef, commit, text)
}

// Attest stores the run's report with a commit that was made outside the run; "" means that nothing was committed, and
// stores nothing.
func (j *Judge) Attest(ctx context.Context, commit string) error {
	if commit == "" {
		return nil
	}
	return j.Note(ctx, commit)
}
