package engine

import (
	"context"
	"slices"

	"chant/engine/run"
	"chant/engine/spec"
)

// workDone reports whether the work of a spec's run is complete, landed or not: then no
// agent begins anew by itself, and what a crash has left is only put in order.
func workDone(s *spec.Spec, h *run.History) bool {
	return s.Branch != "" && h.WorkComplete() && slices.Contains([]spec.Status{spec.Completed, spec.NeedsAttention}, s.Status)
}

// mergeAgain is the command that goes on where a process died that brought the branch of
// complete work up to date, "" when none did.
func mergeAgain(s *spec.Spec, h *run.History) string {
	step := h.CutShort()
	if step == "" || !workDone(s, h) {
		return ""
	}
	next := "chant merge " + s.ID
	if step == run.Rebase {
		return next + " --rebase"
	}
	next += " --agent"
	if by := h.Last().Taken.Provider; by != "" {
		next += " --provider " + by
	}
	return next
}

// notAnew refuses to begin an attempt at complete work whose landing a process died
// over, and puts what that has left in order.
func (e *Engine) notAnew(ctx context.Context, in WorkInput, s *spec.Spec, h *held) error {
	next := mergeAgain(s, h.history)
	died := h.history.Open() != nil
	if !workDone(s, h.history) || next == "" && !died {
		return nil
	}
	if died && !in.DryRun {
		if _, err := e.settleRun(ctx, s, h); err != nil {
			return err
		}
	}
	switch {
	case next == "" && s.Status == spec.Completed:
		return fail(State, "chant merge "+s.ID, "spec %q is completed but has not landed", s.ID)
	case next == "":
		return fail(State, "chant diagnose "+s.ID, "the work on spec %q is complete; what landed it was interrupted", s.ID)
	}
	return fail(State, next, "the work on spec %q is complete; updating its branch from the target was interrupted at step %q", s.ID, h.history.CutShort())
}
