package journal

import "slices"

// followCatchUp keeps track of a step that brings the branch up to date.
func (a *Attempt) followCatchUp(rec Record) {
	switch {
	case rec.State == Begin && (rec.Step == Rebase || rec.Step == Resolve):
		a.CatchUp = rec.Step
	case rec.State == Failed, rec.Step == Complete && rec.State == Done, rec.Step == Land && rec.State == Begin:
		a.CatchUp = ""
	}
}

// CutShort is the step, Rebase or Resolve, at which a process died that brought the
// branch of completed work up to date, also after what it did was taken back; "" when
// none did. The step has to be done again, for which a person has to ask.
func (h *History) CutShort() Step {
	last := h.Last()
	if last == nil || last.Gone || last.CatchUp == "" || last.CaughtUp() {
		return ""
	}
	return last.CatchUp
}

// CaughtUp reports whether the branch is up to date and only the steps behind the agent
// are left.
func (a *Attempt) CaughtUp() bool {
	return a.CatchUp != "" && a.Steps[a.CatchUp] == Done && slices.Contains([]Step{Collect, Verify, Complete}, a.Last)
}
