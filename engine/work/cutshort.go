package work

import (
	"context"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/next"
	"chant/engine/spec"
)

// notAnew refuses to begin an attempt at complete work whose landing a process died
// over, and puts what that has left in order.
func notAnew(ctx context.Context, p *engine.Project, in WorkInput, s *spec.Spec, h *engine.Held) error {
	again := advice.MergeAgain(s, h.History)
	died := h.History.Open() != nil
	if !advice.WorkDone(s, h.History) || again.IsZero() && !died {
		return nil
	}
	if died && !in.DryRun {
		if _, err := settleRun(ctx, p, s, h); err != nil {
			return err
		}
	}
	switch {
	case again.IsZero() && s.Status == spec.Completed:
		return engine.Fail(engine.State, next.Merge.On(s.ID), "spec %q is completed but has not landed", s.ID)
	case again.IsZero():
		return engine.Fail(engine.State, next.Diagnose.On(s.ID), "the work on spec %q is complete; what landed it was interrupted", s.ID)
	}
	return engine.Fail(engine.State, again, "the work on spec %q is complete; updating its branch from the target was interrupted at step %q", s.ID, h.History.CutShort())
}
