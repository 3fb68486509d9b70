package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/guard"
	"chant/engine/run/place"
	"chant/engine/run/tree"
	"chant/engine/spec"
)

// Judge runs the criteria of a spec: on a commit, on the merged tree, or in the caller's own tree.
type Judge struct {
	*attempt.Attempt
	Trees  *tree.Trees
	Places *place.Places
	Guard  *guard.Guard

	Cache  criteria.Cache // of evidence, for checks that do not decide about a landing; nil = none
	Fresh  bool           // ignore the cache
	Judged string         // the commit whose criteria this process has run, or the complete commit made right after
}

// Verify runs the criteria of the start commit in a clean worktree of the branch, so that files which are not committed
// cannot make them hold.
func (j *Judge) Verify(ctx context.Context) (any, error) {
	tip, err := j.Repo.Resolve(ctx, "refs/heads/"+j.Job.Branch)
	if err != nil {
		return nil, err
	}
	now, err := j.OwnSpec(ctx)
	if err != nil {
		return nil, err
	}
	start, err := j.trustedSpec(ctx, now)
	if err != nil {
		return nil, err
	}
	before, err := j.Guard.SinceAgent(ctx)
	if err != nil {
		return nil, err
	}
	report, err := j.judgeAt(ctx, tip, start, now)
	if err == nil {
		err = j.Unmoved(ctx, tip)
	}
	if err == nil && !j.Asked {
		err = j.compare(ctx, criteria.PlanFor(start, now, j.Settings.Verify), &report)
	}
	if err != nil {
		return nil, j.Places.KeepChanged(err)
	}
	if err := j.Guard.CheckAfterCriteria(ctx, before); err != nil {
		return nil, err
	}
	j.Report, j.Judged = report, tip
	if err := j.LogLine(spell(report)); err != nil {
		return nil, err
	}
	unfit := j.MayComplete(report)
	if unfit != nil && !j.Asked {
		if err := j.Record(journal.Verify, journal.Done, report); err != nil { // the evidence of a failure is evidence too
			return nil, err
		}
	}
	return report, unfit
}

// MayComplete returns nil for a report with which a spec may complete: everything holds, or there is nothing to
// verify and the settings do not require it. Errors: *Failure, whose kind FailsVerification.
func (j *Judge) MayComplete(report criteria.Report) error {
	switch status := criteria.Sum(report.Criteria); {
	case status == criteria.Nothing && j.Settings.Verify.Require:
		return guard.NothingToVerify(j.Job.ID)
	case status == criteria.Passed || status == criteria.Nothing:
		return nil
	}
	return Unmet(report.Criteria)
}

// Unmoved checks that no commit was made on the branch while the criteria ran.
func (j *Judge) Unmoved(ctx context.Context, tip string) error {
	now, err := j.Repo.Resolve(ctx, "refs/heads/"+j.Job.Branch)
	if err != nil || now == tip {
		return err
	}
	return attempt.Tampered([]string{fmt.Sprintf("branch %s moved from %s to %s while the criteria ran", j.Job.Branch, attempt.Short(tip), attempt.Short(now))})
}

// trustedSpec returns the spec whose criteria count. Where git ignores .chant, the branch has no spec, and home's copy
// is compared with the trusted one here.
func (j *Judge) trustedSpec(ctx context.Context, now *spec.File) (*spec.File, error) {
	start, err := j.Trusted(ctx)
	if err != nil || !j.Job.Silent || j.Accepted {
		return start, err
	}
	return start, attempt.Tampered(j.Guard.Rewritten(start, now))
}

// judgeAt checks the criteria on a commit.
func (j *Judge) judgeAt(ctx context.Context, commit string, start, now *spec.File) (report criteria.Report, err error) {
	runs := criteria.PlanFor(start, now, j.Settings.Verify).Runs()
	err = j.Places.InPlace(ctx, commit, runs, func(at place.Place) error {
		report, err = j.JudgeIn(ctx, at, start, now)
		if err != nil || !runs {
			return err
		}
		return j.Places.Untouched(ctx, at)
	})
	return report, err
}

// JudgeIn checks, in a place as it is, the criteria of start and those that now has added.
func (j *Judge) JudgeIn(ctx context.Context, at place.Place, start, now *spec.File) (criteria.Report, error) {
	return j.judgePlan(ctx, at, criteria.PlanFor(start, now, j.Settings.Verify), now.ID, j.Cache)
}

// judgePlan is JudgeIn for a plan, with a cache of evidence; nil = none.
func (j *Judge) judgePlan(ctx context.Context, at place.Place, plan criteria.Plan, id string, cache criteria.Cache) (criteria.Report, error) {
	env, _ := criteria.Scrub(j.Environ, j.Settings.Verify.Pass, j.Worktrees(at.Dir))
	spot, more, err := j.spots(at)
	if err != nil {
		return criteria.Report{}, err
	}
	verdicts, vars, err := criteria.Check(ctx, plan, criteria.Settings{
		Spot: spot, More: more, TreeID: at.Tree, Env: env, Spec: []string{"CHANT_SPEC_ID=" + id}, Timeout: j.Settings.Check, RunID: j.Job.RunID, Hide: j.Environ,
		Cache: cache, Fresh: j.Fresh, Clean: func(ctx context.Context) (bool, error) { return j.Places.Clean(ctx, at) },
		Command: func(line string) { j.Announce(journal.Verify, "command", "%s", line) },
		Warn:    func(text string) { j.Announce(journal.Verify, "warning", "%s", text) },
	})
	digest, digestErr := plan.Digest()
	return criteria.Report{
		SpecID: j.Job.ID, Tree: at.Tree, Plan: digest, At: j.Now().UTC(), Verified: criteria.Holds(verdicts), Accepted: j.Accepted,
		Environment: j.Trees.Hidden(vars), Criteria: verdicts,
	}, errors.Join(err, digestErr)
}

// spots returns where commands run in a place, and how to get more such spots. In a tree that was not created for a
// check, all commands run in the tree itself.
func (j *Judge) spots(at place.Place) (criteria.Spot, func(context.Context) (criteria.Spot, error), error) {
	if at.Check == nil {
		spot, err := j.ownSpot(at)
		return spot, nil, err
	}
	var one sync.Mutex // trees are made one at a time
	return at.Check.Spot(), func(ctx context.Context) (criteria.Spot, error) {
		one.Lock()
		defer one.Unlock()
		t, err := at.Check.More(ctx)
		return t.Spot(), err
	}, nil
}

// ownSpot returns a tree that was not created for a check, such as that of the agent that asks.
func (j *Judge) ownSpot(at place.Place) (criteria.Spot, error) {
	bounds, err := j.Sandbox().ForCriteria(at.Dir)
	if err == nil {
		err = bounds.Prepare()
	}
	return criteria.Spot{Tree: at.Dir, Own: append(j.Places.CheckEnv(at.Dir), bounds.Env...), Wall: bounds.Wall}, err
}

// CheckHere checks the criteria of s in a tree as it is. If s has a run, they are those of its start commit.
func (j *Judge) CheckHere(ctx context.Context, tree string, s *spec.File) (report criteria.Report, err error) {
	start, err := j.StartOf(ctx, s)
	if err != nil {
		return report, err
	}
	err = j.Trees.WithPorts(func() error {
		report, err = j.JudgeIn(ctx, place.Place{Dir: tree}, start, s)
		return err
	})
	return report, err
}

// CheckAt is CheckHere in a clean worktree of a commit.
func (j *Judge) CheckAt(ctx context.Context, commit string, s *spec.File) (criteria.Report, error) {
	start, err := j.StartOf(ctx, s)
	if err != nil {
		return criteria.Report{}, err
	}
	report, err := j.judgeAt(ctx, commit, start, s)
	report.Commit = commit
	return report, err
}

// StartOf returns the spec whose criteria count for s: that of its start commit if it has a run, else s itself.
func (j *Judge) StartOf(ctx context.Context, s *spec.File) (*spec.File, error) {
	if j.History.Trusted == nil {
		return s, nil
	}
	return j.Trusted(ctx)
}

// Unmet is the failure for verdicts of which at least one does not hold.
func Unmet(verdicts []criteria.Verdict) *journal.Failure {
	f := &journal.Failure{Kind: spec.ReasonUnverified}
	var shown []string
	for _, v := range verdicts {
		if !v.Holds {
			f.Details = append(f.Details, fmt.Sprintf("criterion %d: %s (%s)", v.Number, v.Text, v.Why))
			shown = append(shown, fmt.Sprintf("criterion %d: %s", v.Number, v.Brief()))
		}
	}
	more := ""
	if len(shown) > attempt.MaxNamed {
		shown, more = slices.Clone(shown[:attempt.MaxNamed]), fmt.Sprintf("; and %d more", len(shown)-attempt.MaxNamed)
	}
	f.Message = fmt.Sprintf("%s: %s%s", Unheld(len(f.Details), len(verdicts)), strings.Join(shown, "; "), more)
	f.Next = baseStep(verdicts)
	return f
}

// Unheld counts the criteria that do not hold, as a sentence.
func Unheld(n, total int) string {
	switch {
	case total == 1:
		return "the criterion does not hold"
	case n == 1:
		return fmt.Sprintf("1 criterion of %d does not hold", total)
	}
	return fmt.Sprintf("%d of %d criteria do not hold", n, total)
}

func spell(report criteria.Report) string {
	out := fmt.Sprintf("criteria: %d", len(report.Criteria))
	for _, v := range report.Criteria {
		mark := "holds"
		switch {
		case !v.Holds:
			mark = "does not hold, " + v.Why
		case v.Flaky:
			mark = "holds, but is flaky"
		}
		out += fmt.Sprintf("\n%d. %s: %s", v.Number, v.Text, mark)
		for _, e := range v.Evidence {
			out += strings.TrimRight(fmt.Sprintf("\n   $ %s (exit %d, %.1f s)\n%s", e.Command, e.ExitCode, e.Seconds, e.Tail), "\n")
		}
	}
	return out
}
