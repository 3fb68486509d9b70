package work

import (
	"context"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/verify/prove"
)

// This file measures how strong criteria are, where the settings ask a run for that. It happens in the process of the run: a
// further one would need a lock, a log and a way to be stopped of its own.

// measureBefore has a run measure its criteria before it lands, if the settings say so.
func measureBefore(p *engine.Project, r *run.Run) {
	checks := r.Settings.Verify
	if checks.Prove.IsOff() || checks.ProveWhen != spec.ProveBefore {
		return
	}
	r.Measure = func(ctx context.Context) (*criteria.Strength, error) { return measure(ctx, p, r), ctx.Err() }
}

// executeMeasured carries out a run, and measures its criteria afterwards if the settings say so.
func executeMeasured(ctx context.Context, p *engine.Project, r *run.Run) error {
	err := r.Execute(ctx)
	if err == nil {
		measureAfter(ctx, p, r)
	}
	return err
}

// measureAfter measures the criteria of work that this process has landed, if the settings ask for that and its run has not
// done so. Whatever keeps it from that is a warning: the work has landed.
func measureAfter(ctx context.Context, p *engine.Project, r *run.Run) {
	done := r.Judge.Report.Strength != nil || r.Measure != nil && slices.Contains(r.Steps, journal.Verify)
	if r.Settings.Verify.Prove.IsOff() || r.Lander.Landing == "" || done {
		return
	}
	if measure(ctx, p, r); ctx.Err() != nil {
		engine.Warn(p, r.Job.ID, fmt.Sprintf("%s has landed, but was stopped before its criteria were measured; %s does that later", r.Job.ID, next.Prove.On(r.Job.ID)))
	}
}

// measure returns how strong the criteria of a run are, nil if that is not known or none of them has a command. Of work that
// has landed it becomes part of the evidence.
func measure(ctx context.Context, p *engine.Project, r *run.Run) *criteria.Strength {
	if !slices.ContainsFunc(r.Judge.Report.Criteria, func(v criteria.Verdict) bool { return v.How == criteria.ByRunning }) {
		return nil
	}
	in := prove.Input{ID: r.Job.ID}
	if budget := r.Settings.Verify.Prove; budget != spec.ProveAll {
		in.Budget = string(budget)
	}
	r.Announce(journal.Verify, "step", "measuring the criteria on wrong versions of the work (verify.prove is %s)", r.Settings.Verify.Prove)
	found, err := prove.Prove(ctx, p, in)
	if err != nil {
		if ctx.Err() == nil {
			engine.Warn(p, r.Job.ID, "how strong its criteria are is not known: "+err.Error())
		}
		return nil
	}
	if found.Score == nil {
		return nil
	}
	r.Announce(journal.Verify, "step", "%s", found.Words())
	return &found.Strength
}
