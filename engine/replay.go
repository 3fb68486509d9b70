package engine

import (
	"context"

	"chant/engine/spec"
)

// mayReplay refuses to work again what was not done, or what has a run already. A
// spec that has not drifted is replayed all the same, and whoever asked is told.
func (e *Engine) mayReplay(ctx context.Context, in WorkInput, s *spec.Spec) error {
	if !in.Replay {
		return nil
	}
	switch {
	case s.Branch != "" && s.Landed:
		return fail(State, "chant cleanup", "spec %q has landed and still has the branch %q", s.ID, s.Branch)
	case s.Branch != "":
		return fail(State, "chant work "+s.ID, "spec %q has a run already", s.ID)
	}
	if _, done := s.Again(); !done {
		return fail(State, "chant work "+s.ID, "spec %q is %s; only what was completed is replayed", s.ID, s.Status)
	}
	tracked, err := e.store.Tracked(ctx)
	if err != nil {
		return err
	}
	if !tracked {
		return fail(State, "chant show "+s.ID, "git ignores .chant here, so a replay of %q would leave nothing of what it was", s.ID)
	}
	if s.Status != spec.Completed || in.DryRun {
		return nil
	}
	at, err := e.targetFor(ctx, s)
	if err != nil {
		return err
	}
	d := newDrifter(e, "refs/heads/"+at)
	drifted, err := d.look(ctx, s)
	if err == nil && drifted.State != Drifted {
		e.warn(s.ID, "spec "+s.ID+" has not drifted since it was completed; it is replayed all the same")
	}
	return err
}
