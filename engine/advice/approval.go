package advice

import (
	"chant/engine"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/spec"
)

// BlockerNext leads on where a spec waits for another one.
func BlockerNext(g *spec.Graph, id, blocker string) next.Step {
	dep := g.Spec(blocker)
	switch {
	case dep == nil: // a name that is not there, mistyped as a rule
		return next.Edit.On(id)
	case dep.Status == spec.Completed && dep.Branch == "": // landed, but on another branch
		return next.Shell("git switch %s && git merge %s", g.Spec(id).Target, dep.Target)
	case g.Ready(blocker) && !g.Container(blocker):
		return next.Work.On(blocker)
	}
	return next.Diagnose.On(blocker)
}

// NotApproved is the refusal of what approval holds back.
func NotApproved(s *spec.Spec, hold spec.Hold) *engine.Error {
	return engine.Fail(engine.Blocked, approvalStep(s, hold), "spec %q %s", s.ID, hold)
}

// HeldByDriver is the refusal of a member that waits for what people say of the whole.
func HeldByDriver(s, driver *spec.Spec, hold spec.Hold) *engine.Error {
	return engine.Fail(engine.Blocked, approvalStep(driver, hold), "spec %q is a part of %q, which %s", s.ID, driver.ID, hold)
}

// Unapproved is the approval that a run still has to have, unless the person who began it has waived it.
func Unapproved(s *spec.Spec, h *journal.History) spec.Hold {
	hold := s.ApprovalBlock()
	if last := h.Last(); last != nil && !last.Gone && last.Job.SkipApproval && hold.Waivable() {
		return spec.Hold{}
	}
	return hold
}

// approvalStep leads on from what approval holds back.
func approvalStep(s *spec.Spec, hold spec.Hold) next.Step {
	switch {
	case hold.Kind == spec.HeldByRejection && s.Branch != "":
		return next.Reset.On(s.ID)
	case hold.Kind == spec.HeldByRejection && !s.Fields.Type.Container(): // a driver has been split; its members are edited
		return next.Edit.On(s.ID)
	}
	return next.Approve.On(s.ID)
}
