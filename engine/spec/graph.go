package spec

import (
	"slices"
)

// Graph holds all specs with their dependencies and members.
type Graph struct {
	specs    map[string]*Spec
	order    []string // ids in Compare order
	archived map[string]bool
	kids     map[string][]string // direct and indirect members, in order
	up       map[string][]string // drivers that name a spec in their members key
	cycles   [][]string
	inCycle  map[string]int // id -> index of its cycle
}

// NewGraph builds the graph of the given specs. archived lists the ids of archived specs: a dependency on one of them
// is met.
func NewGraph(specs []*Spec, archived []string) *Graph {
	g := &Graph{specs: make(map[string]*Spec, len(specs)), order: make([]string, 0, len(specs)), archived: map[string]bool{}, kids: map[string][]string{}, up: map[string][]string{}}
	for _, id := range archived {
		g.archived[id] = true
	}
	for _, s := range specs {
		g.specs[s.ID] = s
		g.order = append(g.order, s.ID)
	}
	SortIDs(g.order)
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

// GraphOf is NewGraph for specs with their documents.
func GraphOf(files []*File, archived []string) *Graph {
	specs := make([]*Spec, len(files))
	for i, f := range files {
		specs[i] = &f.Spec
	}
	return NewGraph(specs, archived)
}

// Specs lists every spec of the graph in order.
func (g *Graph) Specs() []*Spec {
	out := make([]*Spec, len(g.order))
	for i, id := range g.order {
		out[i] = g.specs[id]
	}
	return out
}

// Spec returns one spec, nil if it is not in the graph.
func (g *Graph) Spec(id string) *Spec { return g.specs[id] }

// Archived reports whether the spec is archived.
func (g *Graph) Archived(id string) bool { return g.archived[id] }

// Members lists the direct and indirect members of a driver.
func (g *Graph) Members(id string) []string { return g.kids[id] }

// Drivers lists the existing specs above id, nearest first.
func (g *Graph) Drivers(id string) []string {
	var out []string
	if len(g.above(id)) == 0 {
		return out
	}
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

// OntoFrom returns the nearest driver above id that sets the branch to land on (onto), nil without one.
func (g *Graph) OntoFrom(id string) *Spec {
	for _, d := range g.Drivers(id) {
		if s := g.specs[d]; s.Fields.Onto != "" && !s.Inherits {
			return s
		}
	}
	return nil
}

// above lists the drivers directly above id, whether or not they exist.
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

// Done reports whether specs that depend on id need not wait for it any longer. This is so if it is archived,
// cancelled, or completed and landed. A container without a criterion or command of its own is also done when all its
// members are, unless approval holds it back.
func (g *Graph) Done(id string) bool { return g.done(id, map[string]bool{}) }

// MembersDone reports whether id has members and all of them are done.
func (g *Graph) MembersDone(id string) bool {
	kids := g.kids[id]
	return len(kids) > 0 && !slices.ContainsFunc(kids, func(kid string) bool { return !g.Done(kid) })
}

// MemberSpecs lists the members of a driver that exist.
func (g *Graph) MemberSpecs(id string) []*Spec {
	var out []*Spec
	for _, m := range g.kids[id] {
		if s := g.specs[m]; s != nil {
			out = append(out, s)
		}
	}
	return out
}

// OpenDriver reports whether id is a container whose members are all done, but which is neither completed nor cancelled
// and is not held back by approval.
func (g *Graph) OpenDriver(id string) bool {
	s := g.specs[id]
	return g.Container(id) && s.Status != Completed && s.Status != Cancelled && !s.ApprovalBlock().Exists() && g.MembersDone(id)
}

// done implements Done. asked maps containers to their answers; while an answer is being computed it is false, so a
// container that is its own member is never done.
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

// DueDrivers lists the containers above id that complete together with it: they are open, id is the last of their
// members that is not done, and approval does not hold them back.
func (g *Graph) DueDrivers(id string) []string {
	var due []string
	for _, d := range g.Drivers(id) {
		s := g.specs[d]
		if s.Status == Completed || s.Status == Cancelled || g.holdOfDriver(d).Exists() {
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
