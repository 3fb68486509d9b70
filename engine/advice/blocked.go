package advice

import (
	"chant/engine/next"
	"chant/engine/spec"
	"strings"
)

// concludeDriver concludes for an open driver, which completes with the last of its members.
func concludeDriver(g *spec.Graph, s *spec.Spec) conclusion {
	if hold := s.ApprovalBlock(); hold.Exists() {
		return conclude(approvalStep(s, hold), "it only holds members, and it %s", hold)
	}
	for _, m := range g.Members(s.ID) {
		if !g.Done(m) && !g.Container(m) {
			return conclude(BlockerStep(g, s.ID, m), "it only holds members and completes with the last of them: %s is %s", m, memberState(g, m))
		}
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
		waits = append(waits, b.For(id))
	}
	step := BlockerStep(g, id, g.Blockers(id)[0].ID)
	driver, held := g.HeldByDriver(id)
	switch b := g.Blockers(id)[0]; {
	case driver != nil && b.ID == driver.ID:
		step = approvalStep(driver, held)
	case b.ID == id:
		step = next.Edit.On(id)
		if b.Hold.Exists() {
			step = approvalStep(g.Spec(id), b.Hold)
		}
	}
	return conclude(step, "waits for %s", strings.Join(waits, ", "))
}
