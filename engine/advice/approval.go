package advice

import (
	"chant/engine"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/spec"
)

// BlockerStep returns the next step for a spec that waits for another one.
func BlockerStep(g *spec.Graph, id, blocker string) next.Step {
	dep := g.Spec(blocker)
	switch {
	case dep == nil: // an unknown id, usually mistyped
		return next.Edit.On(id)
	case dep.Status == spec.Completed && dep.Branch == "": // landed, but on another branch
		return next.Shell("git switch %s && git merge %s", g.Spec(id).Target, dep.Target)
	case g.Ready(blocker) && !g.Container(blocker):
		return next.Work.On(blocker)
	}
	return next.Diagnose.On(blocker)
}

// ApprovalError returns the error for a spec that lacks approval.
func ApprovalError(s *spec.Spec, hold spec.Hold) *engine.Error {
	return engine.Fail(engine.Blocked, approvalStep(s, hold), "spec %q %s", s.ID, hold)
}

// DriverApprovalError returns the error for a member whose driver lacks approval.
func DriverApprovalError(s, driver *spec.Spec, hold spec.Hold) *engine.Error {
	return engine.Fail(engine.Blocked, approvalStep(driver, hold), "spec %q is a part of %q, which %s", s.ID, driver.ID, hold)
}

// MissingApproval returns the approval that a run still needs; the zero Hold if it needs none, or if the person who
// started the run has waived it.
func MissingApproval(s *spec.Spec, h *journal.History) spec.Hold {
	hold := s.ApprovalBlock()
	if last := h.Last(); last != nil && !last.Gone && last.Job.SkipApproval && hold.Waivable() {
		return spec.Hold{}
	}
	return hold
}

// approvalStep returns the next step for a spec that lacks approval.
func approvalStep(s *spec.Spec, hold spec.Hold) next.Step {
	switch {
	case hold.Kind == spec.HeldByRejection && s.Branch != "":
		return next.Reset.On(s.ID)
	case hold.Kind == spec.HeldByRejection && !s.Fields.Type.Container(): // a driver has been split; its members are edited
		return next.Edit.On(s.ID)
	}
	return next.Approve.On(s.ID)
}
