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
	"chant/engine/run/tree"
	"chant/engine/spec"
)

// This file runs the commands of criteria where the work began, to know which of them the work has made pass.

// How long a run waits for the base after its work was judged: where that began with the agent, and where it begins then.
const (
	baseLimit = 2 * time.Minute
	lateLimit = 20 * time.Minute
)

// baseRun is a check of criteria on the base that is under way or over.
type baseRun struct {
	commit   string
	cancel   context.CancelFunc
	done     chan struct{} // closed when verdicts and err are set
	verdicts []criteria.Verdict
	err      error
}

// BeginBase starts to run the commands of the start commit's criteria on the base, while the agent works. EndBase has to
// follow. Without a wall it reads only what is held out, and the commands run after the agent: what they change in git would
// look like the agent's work, and would be there before their result counts.
func (j *Judge) BeginBase(ctx context.Context) error {
	// Before the agent starts, so that the criteria are those of the start.
	if _, err := j.readHeldOut(j.Job.ID); err != nil || j.base != nil || j.Settings.Verify.RedFirst == spec.RedOff || !j.Sandbox().State().InForce {
		return err
	}
	start, err := j.Trusted(ctx)
	if err != nil {
		return err
	}
	plan := criteria.PlanFor(start, start, j.Settings.Verify)
	if !plan.Runs() {
		return nil
	}
	base, err := j.Before(ctx)
	if err == nil {
		j.base = j.startBase(ctx, base, plan)
	}
	return err
}

// EndBase stops what BeginBase has started, and waits until nothing of it is left.
func (j *Judge) EndBase() {
	if j.base != nil {
		j.base.cancel()
		<-j.base.done
		j.base = nil
	}
}

func (j *Judge) startBase(ctx context.Context, commit string, plan criteria.Plan) *baseRun {
	ctx, cancel := context.WithCancel(ctx)
	run := &baseRun{commit: commit, cancel: cancel, done: make(chan struct{})}
	own := j.baseJudge()
	own.besideAgent = true
	go func() {
		defer close(run.done)
		run.verdicts, run.err = own.judgeBase(ctx, commit, plan)
	}()
	return run
}

// baseJudge returns a judge that shares nothing that changes with this one, and reports nothing. Its check tree, lock and
// ports are its own, and its processes have another mark: those of the run end with its agent, and a command that was
// ended would look like one that fails.
func (j *Judge) baseJudge() *Judge {
	job := j.Job
	job.ID, job.RunID = job.ID+journal.BaseMark, job.RunID+journal.BaseMark
	a := j.ForJob(job, &journal.History{})
	a.Emit, a.OnStep = nil, nil
	trees := &tree.Trees{Attempt: a, Tree: j.Trees.Tree}
	return &Judge{Attempt: a, Trees: trees, Places: &tree.Places{Attempt: a, Trees: trees}}
}

// judgeBase returns the verdicts of the commands of a plan in a clean worktree of the base, or those of an earlier run in
// its tree: the base is the same for many runs.
func (j *Judge) judgeBase(ctx context.Context, commit string, plan criteria.Plan) (verdicts []criteria.Verdict, err error) {
	plan.Items = slices.DeleteFunc(slices.Clone(plan.Items), func(item criteria.Item) bool { return len(item.Steps) == 0 })
	for i := range plan.Items {
		// What they give there is compared with what they give with the work.
		plan.Items[i].Red = false
	}
	id := j.Job.ID[:len(j.Job.ID)-len(journal.BaseMark)]
	err = j.Places.InPlace(ctx, commit, true, func(at tree.Place) error {
		report, err := j.JudgePlan(ctx, at, plan, id, j.Store.Evidence())
		verdicts = report.Criteria
		return err
	})
	return verdicts, err
}

// prove adds to a report what its verdicts prove, by those on the base. Of what failed it says whether that failed there,
// too. Whatever keeps the base from being judged is a warning, and the proof stays unknown. tip is what was judged.
func (j *Judge) prove(ctx context.Context, plan criteria.Plan, tip string, report *criteria.Report) error {
	based := j.Settings.Verify.RedFirst != spec.RedOff
	if based && slices.ContainsFunc(report.Criteria, func(v criteria.Verdict) bool { return v.How == criteria.ByRunning }) {
		base, err := j.Before(ctx)
		if err != nil {
			return err
		}
		found, err := j.baseVerdicts(ctx, base, plan)
		if err != nil {
			return err
		}
		changes, err := j.Repo.Whole().Diff(ctx, base, tip)
		if err != nil {
			return err
		}
		changed := make([]string, len(changes))
		for i, c := range changes {
			changed[i] = c.Path
		}
		criteria.Compare(report.Criteria, found, j.Job.Target)
		criteria.Prove(report.Criteria, found, changed)
		if err := j.proveHeldOut(ctx, base, changed, report); err != nil {
			return err
		}
	}
	report.Verified, report.Verdict = criteria.Holds(report.Criteria), criteria.Conclude(report.Criteria, based)
	return nil
}

// baseVerdicts returns the verdicts of a plan on the base: of the check that began with the agent, and of one that is
// made now for what that did not cover, such as criteria that were added meanwhile.
func (j *Judge) baseVerdicts(ctx context.Context, base string, plan criteria.Plan) ([]criteria.Verdict, error) {
	limit := baseLimit
	if !j.Sandbox().State().InForce {
		limit = lateLimit
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var known []criteria.Verdict
	if j.base != nil && j.base.commit == base {
		j.awaitBase(limited)
		// What the agent may have made fail, by what it does on the network, is run again now that it has ended.
		known = slices.DeleteFunc(slices.Clone(j.base.verdicts), criteria.Verdict.FailsWithNetwork)
		switch err := j.base.err; {
		case isLimit(err):
			return known, j.warnBase(ctx, base, err)
		case err != nil:
			// Commands may have failed for the same reason, such as a full disk.
			known = nil
		}
	}
	missing := plan
	missing.Items = slices.DeleteFunc(slices.Clone(plan.Items), func(item criteria.Item) bool {
		return len(item.Steps) == 0 || slices.ContainsFunc(known, func(v criteria.Verdict) bool { return v.ID == item.ID })
	})
	if !missing.Any() {
		return known, nil
	}
	// It takes a while, so a person sees why the run is not over.
	j.Announce(journal.Verify, "step", "running the criteria on %s, where the work began", attempt.Short(base))
	found, err := j.baseJudge().judgeBase(limited, base, missing)
	if f, ok := errors.AsType[*journal.Failure](err); ok && f.Kind == spec.ReasonRepository {
		// It outlives the check, and no later one would see it.
		return nil, err
	}
	if err != nil && !isLimit(err) {
		found = nil
	}
	return append(slices.Clone(known), found...), j.warnBase(ctx, base, err)
}

// awaitBase waits for the check that began with the agent, and ends it if that takes too long.
func (j *Judge) awaitBase(ctx context.Context) {
	select {
	case <-j.base.done:
	default:
		j.Announce(journal.Verify, "step", "waiting for the criteria on %s, where the work began", attempt.Short(j.base.commit))
		select {
		case <-j.base.done:
		case <-ctx.Done():
			j.base.cancel()
			<-j.base.done
		}
	}
}

// warnBase reports that the base could not be judged; the error is that of a run that was stopped.
func (j *Judge) warnBase(ctx context.Context, base string, err error) error {
	// A stop of the run ends the check as well, and must not look like a base that cannot be judged.
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if isLimit(err) {
		err = errors.New("it takes too long")
	}
	j.Announce(journal.Verify, "warning", "what the criteria prove is unknown: they were not run on %s: %s", attempt.Short(base), err)
	return nil
}

// isLimit reports whether a check on the base ended because it took too long.
func isLimit(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// lacksRed is the failure of a spec of which no criterion failed before the work, where verify.red_first requires one.
func lacksRed(verdicts []criteria.Verdict) *journal.Failure {
	f := &journal.Failure{
		Kind:    spec.ReasonUnverified,
		Message: "no criterion failed before the work, and verify.red_first is require: nothing shows that the work made a difference",
	}
	for _, v := range verdicts {
		switch v.How {
		case criteria.ByRunning:
			f.Details = append(f.Details, fmt.Sprintf("criterion %d: %s (%s)", v.Number, v.Text, v.Proof))
		case criteria.ByBox:
			f.Details = append(f.Details, fmt.Sprintf("criterion %d: %s (a box without a command)", v.Number, v.Text))
		}
	}
	return f
}
