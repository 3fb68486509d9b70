package advice

import (
	"slices"

	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/spec"
)

// IsWorkComplete reports whether the work of a spec's run is complete, landed or not. Then chant
// starts no agent without being asked, and recovery after a crash only settles the run.
func IsWorkComplete(s *spec.Spec, h *journal.History) bool {
	return s.Branch != "" && h.WorkComplete() && slices.Contains([]spec.Status{spec.Completed, spec.NeedsAttention}, s.Status)
}

// MergeAgainStep returns the step that repeats an update of the branch of complete work whose
// process died; the zero step if there was none.
func MergeAgainStep(s *spec.Spec, h *journal.History) next.Step {
	at := h.CutShort()
	if at == "" || !IsWorkComplete(s, h) {
		return next.Step{}
	}
	if at == journal.Rebase {
		return next.Merge.On(s.ID).Flag("rebase")
	}
	if by := h.Last().Taken.Provider; by != "" {
		return next.Merge.On(s.ID).Flag("agent").Set("provider", by)
	}
	return next.Merge.On(s.ID).Flag("agent")
}
