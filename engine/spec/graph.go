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
	Why string `json:"why"` // its status, or "missing", "not landed", "waits for approval", …
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
	for parent, ok := Parent(id); ok; parent, ok = Parent(parent) {
		if g.specs[parent] != nil {
			out = append(out, parent)
		}
	}
	return append(out, g.up[id]...)
}

// Container reports whether the spec only holds others and is never run itself.
func (g *Graph) Container(id string) bool {
	s := g.specs[id]
	return s != nil && (s.Fields.Type.Container() || len(g.kids[id]) > 0)
}

// Done reports whether nobody needs to wait for id any longer: it is archived,
// cancelled, completed and landed, or a container whose members are all done.
func (g *Graph) Done(id string) bool {
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
	return g.membersDone(id)
}

func (g *Graph) membersDone(id string) bool {
	kids := g.kids[id]
	return len(kids) > 0 && !slices.ContainsFunc(kids, func(kid string) bool {
		s := g.specs[kid]
		return len(g.kids[kid]) == 0 && s.Status != Cancelled && !(s.Status == Completed && s.Landed)
	})
}

// DueDrivers lists the open containers above id whose members would all be done
// once id is: they complete with it.
func (g *Graph) DueDrivers(id string) []string {
	var due []string
	for _, d := range g.Drivers(id) {
		s := g.specs[d]
		if s.Status == Completed || s.Status == Cancelled {
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
		return []Blocker{{id, "missing"}}
	}
	var out []Blocker
	if why := s.approvalBlock(); why != "" {
		out = append(out, Blocker{id, why})
	}
	if n, ok := g.inCycle[id]; ok {
		out = append(out, Blocker{id, "cycle " + strings.Join(g.cycles[n], " -> ")})
	}
	for _, dep := range g.waits(id) {
		if !g.Done(dep) {
			out = append(out, Blocker{dep, g.openBecause(dep)})
		}
	}
	return out
}

func (g *Graph) openBecause(id string) string {
	s := g.specs[id]
	switch {
	case s == nil:
		return "missing"
	case s.Status == Completed:
		return "not landed"
	}
	return string(s.Status)
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
// dependencies, those of the drivers above it (but for members of the same
// driver), and its lower siblings unless depends_on is explicit.
func (g *Graph) waits(id string) []string {
	s := g.specs[id]
	var out []string
	add := func(dep string) {
		if dep != id && !slices.Contains(out, dep) {
			out = append(out, dep)
		}
	}
	for _, dep := range s.Fields.DependsOn {
		if dep == id {
			out = append(out, dep) // a spec that waits for itself: a cycle of one
			continue
		}
		if !slices.Contains(g.kids[id], dep) {
			add(dep)
		}
	}
	if s.Fields.DependsOn == nil {
		for _, sibling := range g.lowerSiblings(id) {
			add(sibling)
		}
	}
	for _, driver := range g.Drivers(id) {
		for _, dep := range g.specs[driver].Fields.DependsOn {
			if dep != driver && !slices.Contains(g.kids[driver], dep) {
				add(dep)
			}
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
	for _, other := range g.kids[parent] {
		if up, _ := Parent(other); up == parent && Compare(other, id) < 0 {
			out = append(out, other)
		}
	}
	return out
}

// Cycles lists every circle of dependencies, each as the ids along it with the
// first repeated at the end.
func (g *Graph) Cycles() [][]string { return g.cycles }

// findCycles walks the graph once, depth first, without recursion. A container
// waits for its members here, because whoever depends on it does.
func (g *Graph) findCycles() {
	const entered, left = 1, 2
	g.inCycle = map[string]int{}
	state := map[string]int{}
	type frame struct {
		id   string
		next []string
	}
	for _, root := range g.order {
		if state[root] != 0 {
			continue
		}
		state[root] = entered
		stack := []frame{{root, g.edges(root)}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.next) == 0 {
				state[top.id] = left
				stack = stack[:len(stack)-1]
				continue
			}
			dep := top.next[0]
			top.next = top.next[1:]
			switch {
			case g.specs[dep] == nil || state[dep] == left:
			case state[dep] == 0:
				state[dep] = entered
				stack = append(stack, frame{dep, g.edges(dep)})
			default:
				var path []string
				for _, f := range stack {
					if len(path) > 0 || f.id == dep {
						path = append(path, f.id)
						g.inCycle[f.id] = len(g.cycles)
					}
				}
				g.cycles = append(g.cycles, append(path, dep))
			}
		}
	}
}

func (g *Graph) edges(id string) []string {
	return append(slices.Clone(g.kids[id]), g.waits(id)...)
}
