package advice

import (
	"slices"

	"chant/engine/journal"
	"chant/engine/spec"
)

// WorkDone reports whether the work of a spec's run is complete, landed or not: then no
// agent begins anew by itself, and what a crash has left is only put in order.
func WorkDone(s *spec.Spec, h *journal.History) bool {
	return s.Branch != "" && h.WorkComplete() && slices.Contains([]spec.Status{spec.Completed, spec.NeedsAttention}, s.Status)
}

// MergeAgain is the command that goes on where a process died that brought the branch of
// complete work up to date, "" when none did.
func MergeAgain(s *spec.Spec, h *journal.History) string {
	step := h.CutShort()
	if step == "" || !WorkDone(s, h) {
		return ""
	}
	next := "chant merge " + s.ID
	if step == journal.Rebase {
		return next + " --rebase"
	}
	next += " --agent"
	if by := h.Last().Taken.Provider; by != "" {
		next += " --provider " + by
	}
	return next
}
