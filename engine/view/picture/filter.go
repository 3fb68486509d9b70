package picture

import "slices"

// Filter selects specs of a graph. The zero Filter selects all.
type Filter struct {
	Around      []string // ids: these, what they need and what needs them, over any number of needs
	Depth       int      // at most over so many needs from one of Around, 0 for any number
	States      []string // only specs with one of these: a status, ready or blocked
	Labels      []string // only specs with one of these labels
	Type        string   // only specs of this type, "" for all
	WithoutDone bool     // no specs for which nothing waits any longer, except Around
}

// Select returns the selected specs and the needs among them. What a selected spec needs and what does not exist is
// always part of it, and what is archived unless there is a reason to leave it out.
func (g Graph) Select(f Filter) Graph {
	at := g.index()
	keep := make([]bool, len(g.Specs))
	near := g.nearSpecs(f, at)
	for i, s := range g.Specs {
		keep[i] = (near == nil || near[i]) && f.matches(s)
	}
	// A spec that was asked for by its id is shown whatever its status.
	for _, id := range f.Around {
		if i, ok := at[id]; ok {
			keep[i] = true
		}
	}
	for _, n := range g.Needs {
		other := g.Specs[at[n.Needs]]
		if !keep[at[n.Spec]] || near != nil && !near[at[n.Needs]] {
			continue
		}
		// A need that does not exist is why its spec cannot start, so no filter hides it.
		if other.Status == Missing || other.Status == Archived && !f.WithoutDone {
			keep[at[n.Needs]] = true
		}
	}
	return g.subgraph(keep, at)
}

// matches reports whether the status, the type and the labels of a spec are selected.
func (f Filter) matches(s Spec) bool {
	switch {
	// They are only part of the graph with a spec that needs them.
	case s.Status == Missing || s.Status == Archived:
		return false
	case f.WithoutDone && s.Done:
		return false
	case len(f.States) > 0 && !slices.Contains(f.States, s.Status) && !(s.Ready && slices.Contains(f.States, "ready")) && !(s.Blocked && slices.Contains(f.States, "blocked")):
		return false
	case f.Type != "" && f.Type != string(s.Type):
		return false
	}
	return len(f.Labels) == 0 || slices.ContainsFunc(f.Labels, func(label string) bool { return slices.Contains(s.Labels, label) })
}

// nearSpecs reports which specs are near enough to those of the filter; nil if it names none.
func (g Graph) nearSpecs(f Filter, at map[string]int) []bool {
	if len(f.Around) == 0 {
		return nil
	}
	up, down := make([][]int, len(g.Specs)), make([][]int, len(g.Specs))
	for _, n := range g.Needs {
		a, b := at[n.Spec], at[n.Needs]
		up[a], down[b] = append(up[a], b), append(down[b], a)
	}
	near := make([]bool, len(g.Specs))
	// Each direction by itself: both at once would reach everything else that needs the same spec.
	for _, ways := range [][][]int{up, down} {
		seen := make([]bool, len(g.Specs))
		var level []int
		for _, id := range f.Around {
			if i, ok := at[id]; ok && !seen[i] {
				seen[i] = true
				level = append(level, i)
			}
		}
		for depth := 0; len(level) > 0; depth++ {
			var next []int
			for _, i := range level {
				near[i] = true
				for _, k := range ways[i] {
					if !seen[k] && (f.Depth == 0 || depth < f.Depth) {
						seen[k] = true
						next = append(next, k)
					}
				}
			}
			level = next
		}
	}
	return near
}

// subgraph returns the graph of the specs to keep.
func (g Graph) subgraph(keep []bool, at map[string]int) Graph {
	out := Graph{Specs: []Spec{}, Needs: []Need{}}
	for i, s := range g.Specs {
		if keep[i] {
			out.Specs = append(out.Specs, s)
		}
	}
	for _, n := range g.Needs {
		if keep[at[n.Spec]] && keep[at[n.Needs]] {
			out.Needs = append(out.Needs, n)
		}
	}
	for _, c := range g.Cycles {
		if slices.ContainsFunc(c, func(id string) bool { return keep[at[id]] }) {
			out.Cycles = append(out.Cycles, c)
		}
	}
	out.Missing = missingOf(out.Specs)
	return out
}

// edges returns the needs as edges from what is needed, by places in Specs.
func (g Graph) edges() []edge {
	at := g.index()
	out := make([]edge, len(g.Needs))
	for i, n := range g.Needs {
		out[i] = edge{from: at[n.Needs], to: at[n.Spec]}
	}
	return out
}
