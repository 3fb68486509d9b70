package spec

// Depths returns for every spec the length of the longest chain of specs that come before it: 0 for a spec that waits
// for nothing. A cycle is cut at the spec where the walk reaches it a second time.
func (g *Graph) Depths() map[string]int {
	depths := make(map[string]int, len(g.all))
	open := map[string]bool{}
	var measure func(id string) int
	measure = func(id string) int {
		depth, known := depths[id]
		if known || open[id] || g.vertices[id] == nil {
			return depth
		}
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
