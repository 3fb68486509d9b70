package advice

import (
	"strings"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// concludeDriver concludes for an open driver, which completes with the last of its members.
func (l Facts) concludeDriver() conclusion {
	g, s := l.graph, l.of
	if hold := s.ApprovalBlock(); hold.Exists() {
		return conclude(approvalStep(s, hold), "it only holds members, and it %s", hold)
	}
	for _, m := range g.Members(s.ID) {
		if g.Done(m) || g.Container(m) {
			continue
		}
		const why = "it only holds members and completes with the last of them: "
		if member := g.Spec(m); g.Ready(m) && l.onlyByName(member) {
			return conclude(next.Edit.On(m), why+"%s needs %s", m, NeedsCriteria)
		}
		return conclude(BlockerStep(g, s.ID, m), why+"%s is %s", m, memberState(g, m))
	}
	return conclude(next.List.On(), "it only holds members and completes with the last of them")
}

// memberState returns the state of a member in a word or two.
func memberState(g *spec.Graph, id string) string {
	switch s := g.Spec(id); {
	case g.Ready(id):
		return "ready"
	case g.Blocked(id):
		return "blocked"
	case s.Status == spec.Completed:
		return "completed, but has not landed"
	default:
		return string(s.Status)
	}
}

// concludeBlocked concludes for a spec that waits for others or for approval.
func concludeBlocked(g *spec.Graph, id string) conclusion {
	var waits []string
	for _, b := range g.Blockers(id) {
		waits = append(waits, b.Reason(id))
	}
	return conclude(stepForBlocked(g, id, map[string]bool{}), "waits for %s", strings.Join(waits, ", "))
}

// stepForBlocked returns the next step for a spec that waits, through all that its first blocker waits for: the step can be
// done now. seen are the specs from which it was reached.
func stepForBlocked(g *spec.Graph, id string, seen map[string]bool) next.Step {
	seen[id] = true
	blocker := g.Blockers(id)[0]
	driver, held := g.HeldByDriver(id)
	switch {
	case driver != nil && blocker.ID == driver.ID:
		return approvalStep(driver, held)
	case blocker.ID == id && blocker.Hold.Exists():
		return approvalStep(g.Spec(id), blocker.Hold)
	case blocker.ID == id:
		return next.Edit.On(id)
	// Members of a driver can lead back to it.
	case g.Blocked(blocker.ID) && !seen[blocker.ID]:
		return stepForBlocked(g, blocker.ID, seen)
	}
	return blockerStep(g, id, blocker.ID)
}

// BlockerStep returns the next step for a spec that waits for another one: what can be done now of all that it waits for.
func BlockerStep(g *spec.Graph, id, blocker string) next.Step {
	if g.Blocked(blocker) {
		return stepForBlocked(g, blocker, map[string]bool{id: true})
	}
	return blockerStep(g, id, blocker)
}

func blockerStep(g *spec.Graph, id, blocker string) next.Step {
	dep := g.Spec(blocker)
	switch {
	// The id is unknown, and usually mistyped.
	case dep == nil:
		return next.Edit.On(id)
	// It has landed, but on another branch.
	case dep.Status == spec.Completed && dep.Branch == "":
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
	// A driver has been split, so its members are edited instead.
	case hold.Kind == spec.HeldByRejection && !s.Fields.Type.Container():
		return next.Edit.On(s.ID)
	}
	return next.Approve.On(s.ID)
}
