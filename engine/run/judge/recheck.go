package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/run/attempt"
	"chant/engine/run/place"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// Recheck runs the criteria again on the merged tree, unless there is a result for the same tree and the same criteria:
// one that this machine's key has signed or, without a key, one that this process has found. What another process has
// recorded without a signature does not count: an agent can write to where it is recorded.
func (j *Judge) Recheck(ctx context.Context, target, tip, merge string) error {
	base, err := j.Base(ctx)
	if err != nil {
		return err
	}
	judged, err := j.Guard.UnderDecisions(ctx, tip)
	if err != nil {
		return err
	}
	why := fmt.Sprintf("%q has moved since", j.Job.Target)
	if base == target {
		if why, err = j.whyAgain(ctx, judged, merge); why == "" || err != nil {
			return err
		}
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

// whyAgain returns why the criteria must run again although the target has not moved, "" if there is a result for the
// commit. A signed result becomes that of this process.
func (j *Judge) whyAgain(ctx context.Context, judged, merge string) (string, error) {
	own, err := keyfile.Load(j.Environ)
	if err != nil {
		return "", err
	}
	if own == nil {
		if j.Judged == judged {
			return "", nil
		}
		return "another process ran them for this commit", nil
	}
	report, why, err := j.signedResult(ctx, own.Public, judged, merge)
	if why == "" && err == nil {
		j.Report, j.Judged = report, judged
	}
	return why, err
}

// signedResult returns the result for a commit that this machine's key has signed, or why there is none that counts for
// the merge.
func (j *Judge) signedResult(ctx context.Context, key attest.Key, judged, merge string) (criteria.Report, string, error) {
	none := criteria.Report{}
	text, err := j.Repo.ReadNote(ctx, attempt.NotesRef, judged)
	if errors.Is(err, gitops.ErrNotFound) {
		return none, "there is no evidence for this commit", nil
	}
	if err != nil {
		return none, "", err
	}
	at, err := j.Repo.ReadCommit(ctx, judged)
	if err != nil {
		return none, "", err
	}
	note, err := criteria.ReadNote(text)
	if err != nil || note.Attestation == nil {
		return none, "the evidence for this commit is not signed", nil //nolint:nilerr // evidence that cannot be read does not count
	}
	sig := note.Attestation.Check(ctx, at.Hash, at.Tree, []attest.Trusted{{Name: "this machine", Key: key}})
	if sig.State != attest.Signed {
		return none, fmt.Sprintf("the evidence for this commit is not signed by this machine's key (%s)", sig), nil
	}
	counts, err := j.countsFor(ctx, note.Report, at.Tree, merge)
	if err != nil || counts {
		return note.Report, "", err
	}
	return none, "the signed evidence for this commit is about other criteria or another tree", nil
}

// countsFor reports whether a result is about this spec, its criteria as they count for the merge, and a tree that
// differs from that of the judged commit in nothing but the spec itself, and whether the spec may complete with it.
func (j *Judge) countsFor(ctx context.Context, report criteria.Report, tree, merge string) (bool, error) {
	now, err := j.SpecAt(ctx, merge)
	if err != nil {
		return false, err
	}
	start, err := j.trustedSpec(ctx, now)
	if err != nil {
		return false, err
	}
	plan, err := criteria.PlanFor(start, now, j.Settings.Verify).Digest()
	if err != nil || report.SpecID != j.Job.ID || report.Plan != plan || j.MayComplete(report) != nil {
		return false, err
	}
	diff, err := j.Repo.Diff(ctx, report.Tree, tree)
	if errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	own := store.SpecPath(j.Job.ID)
	return !slices.ContainsFunc(diff, func(c gitops.Change) bool { return c.Path != own }), err
}

// Attest stores the run's report with a commit that was made outside the run; "" means that nothing was committed, and
// stores nothing.
func (j *Judge) Attest(ctx context.Context, commit string) error {
	if commit == "" {
		return nil
	}
	return j.Note(ctx, commit)
}
