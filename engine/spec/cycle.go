package spec

import "slices"

// Cycles lists cycles of dependencies, each as the ids along it with the first repeated at the end. A cycle whose specs
// are all part of cycles already listed is left out, because there can be more cycles than specs. Specs that are done
// wait for nothing and are in no cycle.
func (g *Graph) Cycles() [][]string { return g.cycles }

// CycleOf returns the cycle of dependencies that a spec is part of, nil if there is none.
func (g *Graph) CycleOf(id string) []string {
	if n, ok := g.inCycle[id]; ok {
		return g.cycles[n]
	}
	return nil
}

// findCycles walks the graph once, depth first, without recursion. It treats a container as waiting for its members,
// because specs that depend on the container wait for them.
func (g *Graph) findCycles() {
	const entered, left = 1, 2
	g.inCycle = map[string]int{}
	state := make(map[string]int, len(g.order))
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

// addCycle records a cycle if at least one of its specs is in no other cycle.
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
	if len(g.kids[id]) == 0 {
		return g.waits(id)
	}
	return append(slices.Clone(g.kids[id]), g.waits(id)...)
}
