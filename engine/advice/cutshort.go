package advice

import (
	"slices"

	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/spec"
)

// WorkDone reports whether the work of a spec's run is complete, landed or not: then no
// agent begins anew by itself, and what a crash has left is only put in order.
func WorkDone(s *spec.Spec, h *journal.History) bool {
	return s.Branch != "" && h.WorkComplete() && slices.Contains([]spec.Status{spec.Completed, spec.NeedsAttention}, s.Status)
}

// MergeAgain resumes where a process died that brought the branch of complete work up to
// date; none when none did.
func MergeAgain(s *spec.Spec, h *journal.History) next.Step {
	at := h.CutShort()
	if at == "" || !WorkDone(s, h) {
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
