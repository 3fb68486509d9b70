package spec

import (
	"slices"
	"strings"
)

// Graph answers what waits for what among all specs.
type Graph struct {
	specs    map[string]*Spec
	order    []string // ids in Compare order
	archived map[string]bool
	kids     map[string][]string // direct and indirect members, in order
	up       map[string][]string // drivers that name a spec in their members key
	cycles   [][]string
	inCycle  map[string]int // id -> index of its cycle
}

// NewGraph builds the graph of the given specs. archived names the ids that lie
// in the archive: whoever depends on them waits no longer.
func NewGraph(specs []*Spec, archived []string) *Graph {
	g := &Graph{specs: map[string]*Spec{}, archived: map[string]bool{}, kids: map[string][]string{}, up: map[string][]string{}}
	for _, id := range archived {
		g.archived[id] = true
	}
	for _, s := range specs {
		g.specs[s.ID] = s
		g.order = append(g.order, s.ID)
	}
	slices.SortFunc(g.order, Compare)
	for _, id := range g.order {
		for parent, ok := Parent(id); ok; parent, ok = Parent(parent) {
			g.kids[parent] = append(g.kids[parent], id)
		}
	}
	for _, id := range g.order {
		for _, m := range g.specs[id].Fields.Members {
			if g.specs[m] != nil && !slices.Contains(g.kids[id], m) {
				g.kids[id] = append(g.kids[id], m)
				g.up[m] = append(g.up[m], id)
			}
		}
	}
	g.findCycles()
	return g
}

// Blocker is one thing a spec waits for.
type Blocker struct {
	ID  string `json:"id"`  // what has to happen first, the spec itself for an approval
	Why string `json:"why"` // for people: its status, or "missing", "not landed", "waits for approval", …

	Hold  Hold `json:"-"` // the approval that it waits for: its own, or that of a driver
	Cycle bool `json:"-"` // it waits for itself
}

// Specs lists every spec of the graph in order.
func (g *Graph) Specs() []*Spec {
	out := make([]*Spec, len(g.order))
	for i, id := range g.order {
		out[i] = g.specs[id]
	}
	return out
}

// Spec returns one spec, nil when it is not in the graph.
func (g *Graph) Spec(id string) *Spec { return g.specs[id] }

// Archived reports whether the id lies in the archive.
func (g *Graph) Archived(id string) bool { return g.archived[id] }

// Members lists everything below a driver.
func (g *Graph) Members(id string) []string { return g.kids[id] }

// Drivers lists the existing specs above id, nearest first.
func (g *Graph) Drivers(id string) []string {
	var out []string
	seen := map[string]bool{id: true}
	for level := g.above(id); len(level) > 0; {
		var next []string
		for _, d := range level {
			if seen[d] {
				continue
			}
			seen[d] = true
			if g.specs[d] != nil {
				out = append(out, d)
			}
			next = append(next, g.above(d)...)
		}
		level = next
	}
	return out
}

// OntoFrom is the nearest driver above id that names a branch to land on, nil without one.
func (g *Graph) OntoFrom(id string) *Spec {
	for _, d := range g.Drivers(id) {
		if s := g.specs[d]; s.Fields.Onto != "" && !s.Inherits {
			return s
		}
	}
	return nil
}

// above lists what is one level up, whether it exists or not.
func (g *Graph) above(id string) []string {
	parent, ok := Parent(id)
	if !ok {
		return g.up[id]
	}
	return append([]string{parent}, g.up[id]...)
}

// Container reports whether the spec only holds others and is never run itself.
func (g *Graph) Container(id string) bool {
	s := g.specs[id]
	return s != nil && (s.Fields.Type.Container() || len(g.kids[id]) > 0)
}

// Done reports whether no one needs to wait for id any longer: it is archived,
// cancelled, completed and landed, or a container whose members are all done,
// which has no criterion or command of its own and which approval does not hold back.
func (g *Graph) Done(id string) bool { return g.done(id, map[string]bool{}) }

// MembersDone reports whether id has members and no one needs to wait for any of them.
func (g *Graph) MembersDone(id string) bool {
	kids := g.kids[id]
	return len(kids) > 0 && !slices.ContainsFunc(kids, func(kid string) bool { return !g.Done(kid) })
}

// MemberSpecs lists the specs below a driver that are there.
func (g *Graph) MemberSpecs(id string) []*Spec {
	var out []*Spec
	for _, m := range g.kids[id] {
		if s := g.specs[m]; s != nil {
			out = append(out, s)
		}
	}
	return out
}

// OpenDriver reports whether id is a container that is not completed although its members are done, and that approval
// does not hold back.
func (g *Graph) OpenDriver(id string) bool {
	s := g.specs[id]
	return g.Container(id) && s.Status != Completed && s.Status != Cancelled && !s.ApprovalBlock().Exists() && g.MembersDone(id)
}

// done judges with asked, the containers whose answer is known (true) or still
// being worked out (false): one that is its own member is never done.
func (g *Graph) done(id string, asked map[string]bool) bool {
	s := g.specs[id]
	switch {
	case g.archived[id]:
		return true
	case s == nil:
		return false
	case s.Status == Cancelled:
		return true
	case s.Status == Completed && s.Landed:
		return true
	}
	kids := g.kids[id]
	if answer, known := asked[id]; known || len(kids) == 0 {
		return answer
	}
	asked[id] = false
	for _, kid := range kids {
		if !g.done(kid, asked) {
			return false
		}
	}
	asked[id] = !s.ApprovalBlock().Exists() && !s.OwnChecks()
	return asked[id]
}

// DueDrivers lists the open containers above id whose members would all be done
// once id is: they complete with it, unless approval holds them back.
func (g *Graph) DueDrivers(id string) []string {
	var due []string
	for _, d := range g.Drivers(id) {
		s := g.specs[d]
		if s.Status == Completed || s.Status == Cancelled || g.withheld(d).Exists() {
			continue
		}
		open := slices.ContainsFunc(g.kids[d], func(kid string) bool {
			return kid != id && !slices.Contains(due, kid) && !g.Done(kid)
		})
		if !open {
			due = append(due, d)
		}
	}
	return due
}

// Blockers lists what id waits for; none means nothing is in its way. This is
// the only place that decides it.
func (g *Graph) Blockers(id string) []Blocker {
	s := g.specs[id]
	if s == nil {
		return []Blocker{{ID: id, Why: "missing"}}
	}
	var out []Blocker
	if hold := s.ApprovalBlock(); hold.Exists() {
		out = append(out, Blocker{ID: id, Why: hold.String(), Hold: hold})
	}
	if n, ok := g.inCycle[id]; ok {
		out = append(out, Blocker{ID: id, Why: "cycle " + strings.Join(g.cycles[n], " -> "), Cycle: true})
	}
	for _, dep := range g.waits(id) {
		if !g.Done(dep) {
			out = append(out, Blocker{ID: dep, Why: g.openBecause(dep), Hold: g.containerHold(dep)})
		} else if why := s.elsewhere(g.specs[dep]); why != "" {
			out = append(out, Blocker{ID: dep, Why: why})
		}
	}
	if d, hold := g.HeldByDriver(id); d != nil {
		out = append(out, Blocker{ID: d.ID, Why: hold.String(), Hold: hold})
	}
	return out
}

// elsewhere says where a completed spec has landed, when the target of s does not have it.
func (s *Spec) elsewhere(dep *Spec) string {
	if dep == nil || dep.Status != Completed || s.Target == "" || dep.Target == s.Target || slices.Contains(dep.Reached, s.Target) {
		return ""
	}
	return "landed on " + dep.Target + ", not on " + s.Target
}

func (g *Graph) openBecause(id string) string {
	s := g.specs[id]
	switch {
	case s == nil:
		return "missing"
	case s.Status == Completed:
		return "not landed"
	case g.containerHold(id).Exists():
		return g.containerHold(id).String()
	}
	return string(s.Status)
}

// containerHold is how approval holds back a spec that only holds others.
func (g *Graph) containerHold(id string) Hold {
	if s := g.specs[id]; g.Container(id) && s.Status != Completed {
		return s.ApprovalBlock()
	}
	return Hold{}
}

// Ready reports whether work on id can begin: pending, no container, nothing in
// its way.
func (g *Graph) Ready(id string) bool {
	s := g.specs[id]
	return s != nil && s.Status == Pending && !g.Container(id) && len(g.Blockers(id)) == 0
}

// Blocked reports whether id would be ready but for what it waits for.
func (g *Graph) Blocked(id string) bool {
	s := g.specs[id]
	return s != nil && s.Status == Pending && !g.Container(id) && len(g.Blockers(id)) > 0
}

// waits lists the ids that must be done before id, each once: its own
// dependencies and lower siblings, and those of every driver above it. A spec
// that names itself waits for itself: a cycle of one.
func (g *Graph) waits(id string) []string {
	out := g.ownWaits(id)
	seen := map[string]bool{}
	for _, dep := range out {
		seen[dep] = true
	}
	for _, driver := range g.Drivers(id) {
		for _, dep := range g.ownWaits(driver) {
			if dep != driver && dep != id && !seen[dep] {
				seen[dep] = true
				out = append(out, dep)
			}
		}
	}
	return out
}

// WaitsFor lists the ids that must be done before id, whether or not they are; none for an unknown id.
func (g *Graph) WaitsFor(id string) []string {
	if g.specs[id] == nil {
		return nil
	}
	return g.waits(id)
}

// ownWaits lists what id itself waits for, each once: its dependencies but for
// its own members, or its lower siblings when depends_on is not explicit.
func (g *Graph) ownWaits(id string) []string {
	deps := g.specs[id].Fields.DependsOn
	if deps == nil {
		return g.lowerSiblings(id)
	}
	var out []string
	for _, dep := range deps {
		if !slices.Contains(out, dep) && (dep == id || !slices.Contains(g.kids[id], dep)) {
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
	for _, other := range g.kids[parent] { // in order: the later ones come behind id
		if other == id {
			break
		}
		if up, _ := Parent(other); up == parent {
			out = append(out, other)
		}
	}
	return out
}
