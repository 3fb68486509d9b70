package spec

import (
	"slices"
)

// Cycles lists circles of dependencies, each as the ids along it with the first
// repeated at the end. Circles that lead over nothing but specs already named
// are left out: there can be more of them than specs. What is done waits for
// nothing and closes none.
func (g *Graph) Cycles() [][]string { return g.cycles }

// CycleOf is the circle of dependencies that a spec is part of, nil when there is none.
func (g *Graph) CycleOf(id string) []string {
	if n, ok := g.inCycle[id]; ok {
		return g.cycles[n]
	}
	return nil
}

// findCycles walks the graph once, depth first, without recursion. A container
// waits for its members here, because whoever depends on it does.
func (g *Graph) findCycles() {
	const entered, left = 1, 2
	g.inCycle = map[string]int{}
	state := map[string]int{}
	for _, id := range g.order {
		if g.Done(id) {
			state[id] = left
		}
	}
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
				at := slices.IndexFunc(stack, func(f frame) bool { return f.id == dep })
				var path []string
				for _, f := range stack[at:] {
					path = append(path, f.id)
				}
				g.addCycle(path)
			}
		}
	}
}

// addCycle notes a circle if it has a spec that no other circle has named.
func (g *Graph) addCycle(path []string) {
	fresh := false
	for _, id := range path {
		if _, known := g.inCycle[id]; !known {
			g.inCycle[id], fresh = len(g.cycles), true
		}
	}
	if fresh {
		g.cycles = append(g.cycles, append(path, path[0]))
	}
}

func (g *Graph) edges(id string) []string {
	return append(slices.Clone(g.kids[id]), g.waits(id)...)
}
