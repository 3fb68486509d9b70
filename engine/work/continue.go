package work

import (
	"chant/engine"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/spec"
)

// mayContinue refuses to begin anew where a person has asked to go on: only a run
// that was paused or has lost its process can be gone on with.
func mayContinue(s *spec.Spec, h *journal.History) error {
	paused := s.Status == spec.Paused && s.Branch != ""
	lost := s.Branch != "" && (s.Status == spec.InProgress || h.Open() != nil)
	switch {
	case paused || lost:
		return nil
	case s.Status == spec.Completed && s.Branch != "" && !s.Landed:
		return engine.Fail(engine.State, next.Merge.On(s.ID), "spec %q has no run to go on with: it is completed and waits to land", s.ID)
	case s.Status == spec.Completed || s.Status == spec.Cancelled:
		return engine.Fail(engine.State, next.Show.On(s.ID), "spec %q has no run to go on with: it is %s", s.ID, s.Status)
	case s.Status == spec.NeedsAttention:
		return engine.Fail(engine.State, next.Diagnose.On(s.ID), "spec %q has no run to go on with: it needs attention", s.ID)
	}
	return engine.Fail(engine.State, next.Work.On(s.ID), "spec %q has no run to go on with: it is %s; work without --continue begins an attempt", s.ID, s.Status)
}
