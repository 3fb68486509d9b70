package spec

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Blocker is one thing a spec waits for.
type Blocker struct {
	ID  string `json:"id"`  // what has to happen first, the spec itself for an approval
	Why string `json:"why"` // for people: its status, or "missing", "not landed", "waits for approval", …

	Hold  Hold `json:"-"` // how approval, its own or that of a driver, holds it back
	Cycle bool `json:"-"` // the spec is part of a cycle of dependencies
}

// Blockers lists what id waits for, nothing if it can start.
func (g *Graph) Blockers(id string) []Blocker {
	v := g.vertices[id]
	if v == nil {
		return []Blocker{{ID: id, Why: "missing"}}
	}
	return slices.Collect(g.blockers(v))
}

// Reason returns what the spec with this id waits for, in words that follow "waits for".
func (b Blocker) Reason(id string) string {
	if b.ID == id && !b.Cycle {
		return cmp.Or(b.Hold.Reason(), "a decision: it "+b.Why)
	}
	return fmt.Sprintf("%s (%s)", b.ID, b.Why)
}

// blockers returns what a spec waits for. This is the only place that decides it.
func (g *Graph) blockers(v *vertex) iter.Seq[Blocker] {
	return func(yield func(Blocker) bool) {
		if hold := v.ApprovalBlock(); hold.Exists() && !yield(Blocker{ID: v.ID, Why: hold.String(), Hold: hold}) {
			return
		}
		// A cycle never resolves itself, so it is named even if other things are missing too.
		if n, ok := g.inCycle[v.ID]; ok && !yield(Blocker{ID: v.ID, Why: "cycle " + strings.Join(g.cycles[n], " -> "), Cycle: true}) {
			return
		}
		for _, dep := range g.waitsFor(v) {
			// The cycle above names it.
			if dep == v.ID {
				continue
			}
			// A dependency that is done can still be missing on the branch where this spec lands.
			// Its work begins with the branch of these tests.
			if tests := g.RedTests(v.ID); tests != nil && tests.ID == dep {
				continue
			}
			if !g.Done(dep) {
				if !yield(Blocker{ID: dep, Why: g.whyOpen(dep), Hold: g.containerHold(dep)}) {
					return
				}
			} else if why := v.landedElsewhere(g.Spec(dep)); why != "" && !yield(Blocker{ID: dep, Why: why}) {
				return
			}
		}
		if d, hold := g.HeldByDriver(v.ID); d != nil {
			yield(Blocker{ID: d.ID, Why: hold.String(), Hold: hold})
		}
	}
}

// landedElsewhere describes on which branch a completed dependency has landed, if the target of s does not contain it;
// "" otherwise.
func (s *Spec) landedElsewhere(dep *Spec) string {
	// Work could otherwise begin on a branch that lacks what it builds on.
	if dep == nil || dep.Status != Completed || s.Target == "" || dep.Target == s.Target || slices.Contains(dep.Reached, s.Target) {
		return ""
	}
	return "landed on " + dep.Target + ", not on " + s.Target
}

// whyOpen describes why id is not done.
func (g *Graph) whyOpen(id string) string {
	s := g.Spec(id)
	switch {
	case s == nil:
		return "missing"
	// A completed spec that reaches this place is on a branch that has not been merged.
	case s.Status == Completed:
		return "not landed"
	case g.containerHold(id).Exists():
		return g.containerHold(id).String()
	}
	return string(s.Status)
}

// containerHold returns how approval holds back a container that is not completed.
func (g *Graph) containerHold(id string) Hold {
	if s := g.Spec(id); g.Container(id) && s.Status != Completed {
		return s.ApprovalBlock()
	}
	return Hold{}
}

// Ready reports whether work on id can begin: it is pending, not a container, and waits for nothing.
func (g *Graph) Ready(id string) bool {
	ready, _ := g.ReadyOrBlocked(id)
	return ready
}

// Blocked reports whether id is pending, not a container, and waits for something.
func (g *Graph) Blocked(id string) bool {
	_, blocked := g.ReadyOrBlocked(id)
	return blocked
}

// ReadyOrBlocked returns what Ready and Blocked return.
func (g *Graph) ReadyOrBlocked(id string) (ready, blocked bool) {
	v := g.vertices[id]
	if v == nil || v.Status != Pending || v.isContainer() {
		return false, false
	}
	// The first blocker decides; the others need not be computed.
	for range g.blockers(v) {
		return false, true
	}
	return true, false
}

// waitsFor lists the ids that must be done before a spec, each once: its own dependencies or lower siblings, and those of
// every driver above it. A spec that depends on itself is a cycle of one.
func (g *Graph) waitsFor(v *vertex) []string {
	out := g.ownWaits(v)
	drivers := g.Drivers(v.ID)
	if len(drivers) == 0 {
		return out
	}
	// Drivers of the same spec often have the same dependencies.
	seen := map[string]bool{}
	for _, dep := range out {
		seen[dep] = true
	}
	for _, driver := range drivers {
		for _, dep := range g.ownWaits(g.vertices[driver]) {
			// A driver can depend on one of its own members, which must not wait for itself.
			if dep != driver && dep != v.ID && !seen[dep] {
				seen[dep] = true
				out = append(out, dep)
			}
		}
	}
	return out
}

// WaitsFor lists the ids that must be done before id, including those that are done already; none for an unknown id.
func (g *Graph) WaitsFor(id string) []string {
	v := g.vertices[id]
	if v == nil {
		return nil
	}
	return g.waitsFor(v)
}

// ownWaits lists what a spec itself waits for, each once: its dependencies except its own members, or its lower siblings
// if it has no key depends_on.
func (g *Graph) ownWaits(v *vertex) []string {
	// An empty list of dependencies is an answer; only a missing key means the order of the siblings.
	if v.Fields.DependsOn == nil {
		return g.lowerSiblings(v.ID)
	}
	var out []string
	for _, dep := range v.Fields.DependsOn {
		// A driver waits for its members in any case, and a dependency on them would be a cycle.
		if !slices.Contains(out, dep) && (dep == v.ID || !slices.Contains(v.kids, dep)) {
			out = append(out, dep)
		}
	}
	return out
}

func (g *Graph) lowerSiblings(id string) []string {
	parent, ok := Parent(id)
	if !ok {
		return nil
	}
	var out []string
	// The members are in order, so the higher siblings follow id.
	for _, other := range g.Members(parent) {
		if other == id {
			break
		}
		// Members of a sibling are below it and not beside it.
		if up, _ := Parent(other); up == parent {
			out = append(out, other)
		}
	}
	return out
}

// HoldKind is a way in which approval holds a spec back.
type HoldKind string

// The ways in which approval holds a spec back.
const (
	HeldForApproval HoldKind = "approval" // it waits for approval
	HeldForWork     HoldKind = "work"     // its work waits for approval
	HeldByEdit      HoldKind = "edited"   // it was edited after its approval
	HeldByChange    HoldKind = "changed"  // its work was changed after its approval
	HeldByRejection HoldKind = "rejected" // it was rejected
)

// Hold describes how approval holds a spec back. The zero Hold means that it does not. Code decides by Kind and never
// by the words.
type Hold struct {
	Kind HoldKind
	More string // words that follow those of the kind: " (1 of 2 given)"
}

// Exists reports whether the spec is held back.
func (h Hold) Exists() bool { return h.Kind != "" }

// Waivable reports whether a person who starts a run may skip this approval. A rejection and the approval of work
// cannot be skipped.
func (h Hold) Waivable() bool { return h.Kind == HeldForApproval || h.Kind == HeldByEdit }

// String describes the hold in words that follow "it"; it returns "" for the zero Hold.
func (h Hold) String() string {
	switch h.Kind {
	case HeldForApproval, HeldForWork:
		return "waits for " + h.Reason()
	case HeldByEdit:
		return "was edited after its approval" + h.More
	case HeldByChange:
		return "was changed after its work was approved" + h.More
	case HeldByRejection:
		return "was rejected" + h.More
	}
	return ""
}

// Reason returns what the spec waits for, in words that follow "waits for". It returns "" for a spec that was rejected, or
// edited or changed after its approval.
func (h Hold) Reason() string {
	switch h.Kind {
	case HeldForApproval:
		return "approval" + h.More
	case HeldForWork:
		return "approval of its work" + h.More
	}
	return ""
}
