package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
)

// verify runs the criteria of the start commit in the run's tree.
func (r *Run) verify(ctx context.Context) (any, error) {
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return nil, err
	}
	now, err := r.ownSpec(ctx)
	if err != nil {
		return nil, err
	}
	verdicts, err := r.check(ctx, r.Tree, now)
	if err == nil {
		err = r.undisturbed(ctx, tip)
	}
	if err != nil {
		return nil, err
	}
	r.Verdicts = verdicts
	if err := r.logLine(spell(verdicts)); err != nil {
		return nil, err
	}
	if !verify.Holds(verdicts) && r.asked {
		return nil, Unmet(verdicts)
	}
	if !verify.Holds(verdicts) {
		if err := r.record(Verify, Done, verdicts); err != nil { // the evidence of a failure is evidence too
			return nil, err
		}
		return nil, Unmet(verdicts)
	}
	return verdicts, nil
}

// undisturbed checks that running the criteria has made no commit and has changed
// no tracked file: what was judged is what will land.
func (r *Run) undisturbed(ctx context.Context, tip string) error {
	now, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	if now != tip {
		return tampered([]string{fmt.Sprintf("branch %s moved from %s to %s while the criteria ran", r.Job.Branch, short(tip), short(now))})
	}
	changes, err := r.Repo.Status(ctx, r.Tree)
	if err != nil {
		return err
	}
	var changed []string
	for _, c := range changes {
		switch {
		case c.Code == "??": // what a build leaves behind
		case c.Path == store.SpecPath(r.Job.ID):
			return tampered([]string{"the spec file was changed while the criteria ran"})
		default:
			changed = append(changed, c.Path)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return &Failure{
		Kind: Unverified, Details: changed,
		Message: "the criteria changed tracked files, so they did not judge what is committed: " + strings.Join(changed, ", "),
	}
}

// check judges in a tree the trusted criteria and those that came since, with the
// boxes as now has them.
func (r *Run) check(ctx context.Context, tree string, now *spec.Spec) ([]verify.Verdict, error) {
	start, err := r.trusted(ctx)
	if err != nil {
		return nil, err
	}
	if r.Job.Silent {
		found := spec.Tampering(spec.Criteria(start.Doc), spec.Criteria(now.Doc))
		if !sameApproval(start.Fields.Approval, now.Fields.Approval) {
			found = append(found, "the approval in the spec was changed")
		}
		if err := tampered(found); err != nil && !r.Accepted {
			return nil, err
		}
	}
	return r.judge(ctx, tree, start, now)
}

func (r *Run) judge(ctx context.Context, tree string, start, now *spec.Spec) ([]verify.Verdict, error) {
	present := spec.Criteria(now.Doc)
	return verify.Check(ctx, spec.Join(spec.Criteria(start.Doc), present), present, verify.Settings{
		Dir: tree, Env: r.commandEnv(tree), Timeout: r.Settings.Check, RunID: r.Job.RunID,
		Command: func(line string) { r.emit(Verify, "command", "%s", line) },
	})
}

// CheckHere judges the criteria of s in a tree as it stands; those of the start
// commit where a run has one.
func (r *Run) CheckHere(ctx context.Context, tree string, s *spec.Spec) ([]verify.Verdict, error) {
	start := s
	if r.History.Trusted != nil {
		var err error
		if start, err = r.trusted(ctx); err != nil {
			return nil, err
		}
	}
	var verdicts []verify.Verdict
	err := r.withPorts(func() (err error) {
		verdicts, err = r.judge(ctx, tree, start, s)
		return err
	})
	return verdicts, err
}

// CheckAt is CheckHere in a clean worktree of a commit, made for the purpose and
// removed again. Without commands to run none is made.
func (r *Run) CheckAt(ctx context.Context, commit string, s *spec.Spec) (verdicts []verify.Verdict, err error) {
	if !slices.ContainsFunc(spec.Criteria(s.Doc), spec.Criterion.Runs) && r.History.Trusted == nil {
		return r.CheckHere(ctx, "", s)
	}
	err = r.InTree(ctx, commit, func(tree string) error {
		verdicts, err = r.CheckHere(ctx, tree, s)
		return err
	})
	return verdicts, err
}

// Unmet is the failure of verdicts of which at least one does not hold.
func Unmet(verdicts []verify.Verdict) *Failure {
	f := &Failure{Kind: Unverified}
	for _, v := range verdicts {
		if !v.Holds {
			f.Details = append(f.Details, fmt.Sprintf("criterion %d: %s (%s)", v.Number, v.Text, v.Why))
		}
	}
	shown, more := f.Details, ""
	if len(shown) > maxNamed {
		shown, more = shown[:maxNamed], fmt.Sprintf("; and %d more", len(shown)-maxNamed)
	}
	f.Message = fmt.Sprintf("%d of %d "+NotHolding+": %s%s", len(f.Details), len(verdicts), strings.Join(shown, "; "), more)
	return f
}

// maxNamed bounds how many criteria a message names; the details have all.
const maxNamed = 10

func spell(verdicts []verify.Verdict) string {
	out := fmt.Sprintf("criteria: %d", len(verdicts))
	for _, v := range verdicts {
		mark := "holds"
		if !v.Holds {
			mark = "does not hold, " + v.Why
		}
		out += fmt.Sprintf("\n%d. %s: %s", v.Number, v.Text, mark)
		for _, e := range v.Evidence {
			out += strings.TrimRight(fmt.Sprintf("\n   $ %s (exit %d, %.1f s)\n%s", e.Command, e.ExitCode, e.Seconds, e.Tail), "\n")
		}
	}
	return out
}
