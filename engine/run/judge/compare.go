package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/place"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// compareLimit bounds how long what failed is run again without the work.
const compareLimit = 2 * time.Minute

// compare runs the commands that failed in a clean worktree of the commit where the work began, unless they have run in its
// tree before, and adds to the report whether they fail there, too. Whatever keeps it from that is a warning.
func (j *Judge) compare(ctx context.Context, plan criteria.Plan, report *criteria.Report) error {
	plan = plan.Failed(report.Criteria)
	if !plan.Any() {
		return nil
	}
	base, err := j.Base(ctx)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, compareLimit)
	defer cancel()
	j.Announce(journal.Verify, "step", "running what failed on %s, where the work began", attempt.Short(base))
	var found criteria.Report
	err = j.Places.InPlace(limited, base, true, func(at place.Place) error {
		found, err = j.judgePlan(limited, at, plan, j.Job.ID, j.Store.Evidence())
		return err
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("it takes more than %s", compareLimit)
	}
	if err != nil {
		j.Announce(journal.Verify, "warning", "what failed was not compared with %s: %s", attempt.Short(base), err)
		return nil
	}
	criteria.Compare(report.Criteria, found.Criteria, j.Job.Target)
	return nil
}

// baseStep is what helps if everything that failed fails without the work, too: no agent of the spec is to blame. It is the
// zero step if another attempt can help.
func baseStep(verdicts []criteria.Verdict) next.Step {
	if !criteria.OnlyBase(verdicts) {
		return next.Step{}
	}
	if slices.ContainsFunc(verdicts, criteria.LacksParts) { // a folder to link, or a set-up command
		return next.EditFile(store.ConfigPath)
	}
	at := slices.IndexFunc(verdicts, func(v criteria.Verdict) bool { return !v.Holds })
	if ev := verdicts[at].Evidence; len(ev) > 0 {
		return next.Add.On("Make this pass: " + ev[len(ev)-1].Command)
	}
	return next.Step{}
}
