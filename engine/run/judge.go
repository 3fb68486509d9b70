package run

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/spec"
)

// verify runs the criteria of the start commit in a clean worktree of the branch:
// what git does not have cannot make them hold.
func (r *Run) verify(ctx context.Context) (any, error) {
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return nil, err
	}
	now, err := r.ownSpec(ctx)
	if err != nil {
		return nil, err
	}
	start, err := r.believed(ctx, now)
	if err != nil {
		return nil, err
	}
	before, err := r.sinceAgent(ctx)
	if err != nil {
		return nil, err
	}
	report, err := r.judgeAt(ctx, tip, start, now)
	if err == nil {
		err = r.unmoved(ctx, tip)
	}
	if err != nil {
		return nil, r.keepChanged(err)
	}
	if err := r.onlyJudged(ctx, before); err != nil {
		return nil, err
	}
	r.Report, r.judged = report, tip
	if err := r.logLine(spell(report)); err != nil {
		return nil, err
	}
	unfit := r.MayComplete(report)
	if unfit != nil && !r.asked {
		if err := r.record(journal.Verify, journal.Done, report); err != nil { // the evidence of a failure is evidence too
			return nil, err
		}
	}
	return report, unfit
}

// unmoved checks that running the criteria has made no commit on the branch.
func (r *Run) unmoved(ctx context.Context, tip string) error {
	now, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil || now == tip {
		return err
	}
	return tampered([]string{fmt.Sprintf("branch %s moved from %s to %s while the criteria ran", r.Job.Branch, short(tip), short(now))})
}

// believed is the spec whose criteria count. Where git ignores .chant the branch
// has no spec, and here is where home's copy is compared.
func (r *Run) believed(ctx context.Context, now *spec.Spec) (*spec.Spec, error) {
	start, err := r.trusted(ctx)
	if err != nil || !r.Job.Silent || r.Accepted {
		return start, err
	}
	return start, tampered(r.rewritten(start, now))
}

// judgeAt judges what a commit holds.
func (r *Run) judgeAt(ctx context.Context, commit string, start, now *spec.Spec) (report criteria.Report, err error) {
	runs := criteria.PlanFor(start, now, r.Settings.Verify).Runs()
	err = r.InPlace(ctx, commit, runs, func(at Place) error {
		report, err = r.JudgeIn(ctx, at, start, now)
		if err != nil || !runs {
			return err
		}
		return r.Untouched(ctx, at)
	})
	return report, err
}

// JudgeIn judges the criteria of start, and those that now has beside them, in a
// place as it stands.
func (r *Run) JudgeIn(ctx context.Context, at Place, start, now *spec.Spec) (criteria.Report, error) {
	plan := criteria.PlanFor(start, now, r.Settings.Verify)
	env, _ := criteria.Scrub(r.Environ, r.Settings.Verify.Pass, r.worktrees(at.Dir))
	spot, more := r.spots(at)
	verdicts, vars, err := criteria.Check(ctx, plan, criteria.Settings{
		Spot: spot, More: more, TreeID: at.Tree, Env: env, Spec: []string{"CHANT_SPEC_ID=" + now.ID}, Timeout: r.Settings.Check, RunID: r.Job.RunID, Hide: r.Environ,
		Cache: r.Cache, Fresh: r.Fresh, Clean: func(ctx context.Context) (bool, error) { return r.Clean(ctx, at) },
		Command: func(line string) { r.emit(journal.Verify, "command", "%s", line) },
		Warn:    func(text string) { r.emit(journal.Verify, "warning", "%s", text) },
	})
	return criteria.Report{
		SpecID: r.Job.ID, Tree: at.Tree, At: r.Now().UTC(), Verified: criteria.Holds(verdicts), Accepted: r.Accepted,
		Environment: r.hidden(vars), Criteria: verdicts,
	}, err
}

// spots are where commands run in a place: all in the tree as it stands where it was not made for
// a check.
func (r *Run) spots(at Place) (criteria.Spot, func(context.Context) (criteria.Spot, error)) {
	if at.tree == nil {
		return criteria.Spot{Tree: at.Dir, Own: r.checkEnv(at.Dir)}, nil
	}
	var one sync.Mutex // trees are made one at a time
	return at.tree.spot(), func(ctx context.Context) (criteria.Spot, error) {
		one.Lock()
		defer one.Unlock()
		t, err := at.tree.more(ctx)
		return t.spot(), err
	}
}

// worktrees are the trees that an agent could have written to.
func (r *Run) worktrees(tree string) []string {
	trees := []string{tree}
	if r.Tree != "" {
		trees = append(trees, r.Tree)
	}
	return trees
}

// checkEnv is what belongs to one check alone.
func (r *Run) checkEnv(tree string) []string {
	return append(r.portEnv(),
		"CHANT_WORKTREE=1",
		"CHANT_WORKTREE_PATH="+tree,
		"CHANT_PROJECT="+r.Settings.Project,
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(tree),
	)
}

// CheckHere judges the criteria of s in a tree as it stands; those of the start
// commit where a run has one.
func (r *Run) CheckHere(ctx context.Context, tree string, s *spec.Spec) (report criteria.Report, err error) {
	start, err := r.StartOf(ctx, s)
	if err != nil {
		return report, err
	}
	err = r.withPorts(func() error {
		report, err = r.JudgeIn(ctx, Place{Dir: tree}, start, s)
		return err
	})
	return report, err
}

// CheckAt is CheckHere in a clean worktree of a commit.
func (r *Run) CheckAt(ctx context.Context, commit string, s *spec.Spec) (criteria.Report, error) {
	start, err := r.StartOf(ctx, s)
	if err != nil {
		return criteria.Report{}, err
	}
	report, err := r.judgeAt(ctx, commit, start, s)
	report.Commit = commit
	return report, err
}

// StartOf is the spec whose criteria count for s: that of its start commit where it has a
// run, else s itself.
func (r *Run) StartOf(ctx context.Context, s *spec.Spec) (*spec.Spec, error) {
	if r.History.Trusted == nil {
		return s, nil
	}
	return r.trusted(ctx)
}

// Unmet is the failure of verdicts of which at least one does not hold.
func Unmet(verdicts []criteria.Verdict) *journal.Failure {
	f := &journal.Failure{Kind: spec.ReasonUnverified}
	for _, v := range verdicts {
		if !v.Holds {
			f.Details = append(f.Details, fmt.Sprintf("criterion %d: %s (%s)", v.Number, v.Text, v.Why))
		}
	}
	shown, more := f.Details, ""
	if len(shown) > maxNamed {
		shown, more = slices.Clone(shown[:maxNamed]), fmt.Sprintf("; and %d more", len(shown)-maxNamed)
	}
	f.Message = fmt.Sprintf("%s: %s%s", Unheld(len(f.Details), len(verdicts)), strings.Join(shown, "; "), more)
	return f
}

// Unheld counts the criteria that do not hold, as a sentence.
func Unheld(n, total int) string {
	switch {
	case total == 1:
		return "the criterion does not hold"
	case n == 1:
		return fmt.Sprintf("1 of %d criteria does not hold", total)
	}
	return fmt.Sprintf("%d of %d criteria do not hold", n, total)
}

// maxNamed bounds how many criteria a message names; the details have all.
const maxNamed = 10

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
