package work

import (
	"context"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/verify"
)

// checkReplay refuses a replay of a spec that was not completed or that has a run already.
// For a spec that has not drifted it only warns.
func checkReplay(ctx context.Context, p *engine.Project, in WorkInput, s *spec.Spec) error {
	if !in.Replay {
		return nil
	}
	switch {
	case s.Branch != "" && s.Landed:
		return engine.Fail(engine.State, next.Cleanup.On(), "spec %q has landed and still has the branch %q", s.ID, s.Branch)
	case s.Branch != "":
		return engine.Fail(engine.State, next.Work.On(s.ID), "spec %q has a run already", s.ID)
	}
	if _, done := s.ReplayEvent(); !done {
		return engine.Fail(engine.State, next.Work.On(s.ID), "spec %q is %s; only what was completed is replayed", s.ID, s.Status)
	}
	tracked, err := p.Store.Tracked(ctx)
	if err != nil {
		return err
	}
	if !tracked {
		return engine.Fail(engine.State, next.Show.On(s.ID), "git ignores .chant here, so a replay of %q would overwrite the only copy of the spec", s.ID)
	}
	if s.Status != spec.Completed || in.DryRun {
		return nil
	}
	at, err := run.TargetFor(ctx, p, s)
	if err != nil {
		return err
	}
	d := verify.NewDrifter(p, "refs/heads/"+at)
	drifted, err := d.Compare(ctx, s)
	// A warning only: a person may know why.
	if err == nil && drifted.State != verify.Drifted {
		engine.Warn(p, s.ID, "spec "+s.ID+" has not drifted since it was completed; it is replayed all the same")
	}
	return err
}
