package spec

import "slices"

// Cycles lists cycles of dependencies, each as the ids along it with the first repeated at the end. A cycle whose specs
// are all part of cycles already listed is left out, because there can be more cycles than specs.
func (g *Graph) Cycles() [][]string { return g.cycles }

// CycleOf returns the cycle of dependencies that a spec is part of, nil if there is none.
func (g *Graph) CycleOf(id string) []string {
	if n, ok := g.inCycle[id]; ok {
		return g.cycles[n]
	}
	return nil
}

// visit is how far the search for cycles has come with a spec.
type visit uint8

const (
	entered visit = iota + 1 // it is on the path from the root
	left                     // it is in no further cycle
)

// pathStep is a spec on the path from the root, with the ids that are still to be visited from it.
type pathStep struct {
	*vertex
	next []string
}

// findCycles walks the graph once, depth first.
func (g *Graph) findCycles() {
	g.inCycle = map[string]int{}
	// Specs that are done wait for nothing, so no search begins or passes there.
	for i := range g.all {
		if g.Done(g.all[i].ID) {
			g.all[i].visit = left
		}
	}
	// An explicit path replaces recursion, which a long chain of specs would make deep.
	var path []pathStep
	enter := func(v *vertex) {
		v.visit = entered
		path = append(path, pathStep{v, g.edges(v)})
	}
	for i := range g.all {
		if g.all[i].visit != 0 {
			continue
		}
		for enter(&g.all[i]); len(path) > 0; {
			top := &path[len(path)-1]
			if len(top.next) == 0 {
				top.visit = left
				path = path[:len(path)-1]
				continue
			}
			dep := g.vertices[top.next[0]]
			top.next = top.next[1:]
			switch {
			// A missing spec has no edges, and from one that was left no cycle can come.
			case dep == nil || dep.visit == left:
			case dep.visit == entered:
				g.addCycle(path, dep)
			default:
				enter(dep)
			}
		}
	}
}

// addCycle records the cycle from a spec on the path to its end, if at least one of its specs is in no other cycle.
func (g *Graph) addCycle(path []pathStep, from *vertex) {
	at := slices.IndexFunc(path, func(s pathStep) bool { return s.vertex == from })
	ids, fresh := make([]string, 0, len(path)-at+1), false
	for _, step := range path[at:] {
		ids = append(ids, step.ID)
		// The first cycle of a spec is the one that is reported for it.
		if _, known := g.inCycle[step.ID]; !known {
			g.inCycle[step.ID], fresh = len(g.cycles), true
		}
	}
	// A further cycle of the same specs would repeat the message.
	if fresh {
		g.cycles = append(g.cycles, append(ids, from.ID))
	}
}

func (g *Graph) edges(v *vertex) []string {
	if len(v.kids) == 0 {
		return g.waitsFor(v)
	}
	// Specs that depend on the container wait for its members, so a cycle may lead through them.
	return slices.Concat(v.kids, g.waitsFor(v))
}
