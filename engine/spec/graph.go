package spec

import "slices"

// Graph holds all specs with their dependencies and members.
type Graph struct {
	all      []vertex           // in Compare order
	vertices map[string]*vertex // of all, by id
	archived map[string]bool
	orphans  map[string][]string // the members of ids without a spec
	cycles   [][]string
	inCycle  map[string]int // id -> index of its cycle
}

// vertex is a spec in a graph.
type vertex struct {
	*Spec
	kids  []string // direct and indirect members, in order
	up    []string // drivers that name it in their members key
	visit visit
}

// NewGraph builds the graph of the given specs. archived lists the ids of archived specs: a dependency on one of them
// is met.
func NewGraph(specs []*Spec, archived []string) *Graph {
	g := &Graph{
		all: make([]vertex, len(specs)), vertices: make(map[string]*vertex, len(specs)),
		archived: map[string]bool{}, orphans: map[string][]string{},
	}
	for _, id := range archived {
		g.archived[id] = true
	}
	for i, s := range specs {
		g.all[i].Spec = s
	}
	// Everything else lists specs in this order without sorting again.
	SortByID(g.all, func(v vertex) string { return v.ID })
	// The pointers are taken after sorting, which moves the values.
	for i := range g.all {
		g.vertices[g.all[i].ID] = &g.all[i]
	}
	for i := range g.all {
		id := g.all[i].ID
		for parent, ok := Parent(id); ok; parent, ok = Parent(parent) {
			if v := g.vertices[parent]; v != nil {
				v.kids = append(v.kids, id)
			} else {
				// A driver without a file can still be named as a dependency.
				g.orphans[parent] = append(g.orphans[parent], id)
			}
		}
	}
	for i := range g.all {
		v := &g.all[i]
		for _, m := range v.Fields.Members {
			// A member that is below the driver by its id was added above.
			if member := g.vertices[m]; member != nil && !slices.Contains(v.kids, m) {
				v.kids = append(v.kids, m)
				member.up = append(member.up, v.ID)
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
	out := make([]*Spec, len(g.all))
	for i := range g.all {
		out[i] = g.all[i].Spec
	}
	return out
}

// Spec returns one spec, nil if it is not in the graph.
func (g *Graph) Spec(id string) *Spec {
	if v := g.vertices[id]; v != nil {
		return v.Spec
	}
	return nil
}

// Archived reports whether the spec is archived.
func (g *Graph) Archived(id string) bool { return g.archived[id] }

// Members lists the direct and indirect members of a driver.
func (g *Graph) Members(id string) []string {
	if v := g.vertices[id]; v != nil {
		return v.kids
	}
	return g.orphans[id]
}

// Drivers lists the existing specs above id, nearest first.
func (g *Graph) Drivers(id string) []string {
	level := g.directDrivers(id)
	if len(level) == 0 {
		return nil
	}
	var out []string
	// Two drivers can name each other in their members.
	for seen := map[string]bool{id: true}; len(level) > 0; {
		var next []string
		for _, d := range level {
			if seen[d] {
				continue
			}
			seen[d] = true
			if g.vertices[d] != nil {
				out = append(out, d)
			}
			// A driver without a file does not end the walk, because the one above it may exist.
			next = append(next, g.directDrivers(d)...)
		}
		level = next
	}
	return out
}

// OntoFrom returns the nearest driver above id that sets the branch to land on (onto), nil without one.
func (g *Graph) OntoFrom(id string) *Spec {
	for _, d := range g.Drivers(id) {
		// A driver that has inherited its branch is not the one that sets it.
		if s := g.Spec(d); s.Fields.Onto != "" && !s.Inherits {
			return s
		}
	}
	return nil
}

// directDrivers lists the drivers directly above id, whether or not they exist.
func (g *Graph) directDrivers(id string) []string {
	var up []string
	if v := g.vertices[id]; v != nil {
		up = v.up
	}
	if parent, ok := Parent(id); ok {
		// The driver in the id is the nearest one.
		return append([]string{parent}, up...)
	}
	return up
}

// Container reports whether the spec only holds others and is never run itself.
func (g *Graph) Container(id string) bool {
	v := g.vertices[id]
	return v != nil && v.isContainer()
}

func (v *vertex) isContainer() bool { return v.Fields.Type.Container() || len(v.kids) > 0 }

// Done reports whether specs that depend on id need not wait for it any longer. This is so if it is archived,
// cancelled, or completed and landed. A container without a criterion or command of its own is also done when all its
// members are, unless approval holds it back.
func (g *Graph) Done(id string) bool { return g.done(id, nil) }

// MembersDone reports whether id has members and all of them are done.
func (g *Graph) MembersDone(id string) bool {
	kids := g.Members(id)
	return len(kids) > 0 && !slices.ContainsFunc(kids, func(kid string) bool { return !g.Done(kid) })
}

// MemberSpecs lists the members of a driver that exist.
func (g *Graph) MemberSpecs(id string) []*Spec {
	var out []*Spec
	for _, m := range g.Members(id) {
		if s := g.Spec(m); s != nil {
			out = append(out, s)
		}
	}
	return out
}

// OpenDriver reports whether id is a container whose members are all done, but which is neither completed nor cancelled
// and is not held back by approval.
func (g *Graph) OpenDriver(id string) bool {
	s := g.Spec(id)
	// Approval would have to be given first, so finishing it is not the next step.
	return g.Container(id) && s.Status != Completed && s.Status != Cancelled && !s.ApprovalBlock().Exists() && g.MembersDone(id)
}

// done implements Done. asked maps containers to their answers.
func (g *Graph) done(id string, asked map[string]bool) bool {
	v := g.vertices[id]
	switch {
	case g.archived[id]:
		return true
	case v == nil:
		return false
	case v.Status == Cancelled:
		return true
	// Completed work counts once it is on the branch where others start.
	case v.Status == Completed && v.Landed:
		return true
	}
	// The last case is a spec without members: nothing else can make it done.
	if answer, known := asked[id]; known || len(v.kids) == 0 {
		return answer
	}
	if asked == nil {
		asked = map[string]bool{}
	}
	// While the answer is being computed it is false, so a container that is its own member is never done.
	asked[id] = false
	for _, kid := range v.kids {
		if !g.done(kid, asked) {
			return false
		}
	}
	// A criterion or command of its own must be judged first, and approval must be given.
	asked[id] = !v.ApprovalBlock().Exists() && !v.OwnChecks()
	return asked[id]
}

// DueDrivers lists the containers above id that complete together with it: they are open, id is the last of their
// members that is not done, and approval does not hold them back.
func (g *Graph) DueDrivers(id string) []string {
	var due []string
	for _, d := range g.Drivers(id) {
		s := g.Spec(d)
		// Such a driver does not complete with its members.
		if s.Status == Completed || s.Status == Cancelled || g.holdOfDriver(d).Exists() {
			continue
		}
		// Drivers are visited nearest first, so a due one counts as done for those above it.
		open := slices.ContainsFunc(g.Members(d), func(kid string) bool {
			return kid != id && !slices.Contains(due, kid) && !g.Done(kid)
		})
		if !open {
			due = append(due, d)
		}
	}
	return due
}

// Depths returns for every spec the length of the longest chain of specs that come before it: 0 for a spec that waits
// for nothing. A cycle is cut where the walk reaches a spec a second time.
func (g *Graph) Depths() map[string]int {
	depths := make(map[string]int, len(g.all))
	open := map[string]bool{}
	var measure func(id string) int
	measure = func(id string) int {
		depth, known := depths[id]
		if known || open[id] || g.vertices[id] == nil {
			return depth
		}
		// The walk skips specs that are open, which cuts a cycle here.
		open[id] = true
		for _, before := range g.Before(id) {
			if g.vertices[before] != nil && !open[before] {
				depth = max(depth, measure(before)+1)
			}
		}
		open[id] = false
		depths[id] = depth
		return depth
	}
	for i := range g.all {
		measure(g.all[i].ID)
	}
	return depths
}

// Before lists what id waits for, done or not. A spec that waits for a driver also waits for its members.
func (g *Graph) Before(id string) []string {
	waits := g.WaitsFor(id)
	for _, w := range waits {
		waits = append(waits, g.Members(w)...)
	}
	return waits
}
