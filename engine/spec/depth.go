package spec

// Depths tells for every spec how many others stand one behind the other before
// it: 0 for one that waits for nothing. What waits for itself counts as if the
// circle were cut where the walk closes it.
func (g *Graph) Depths() map[string]int {
	depths := make(map[string]int, len(g.order))
	open := map[string]bool{}
	var measure func(id string) int
	measure = func(id string) int {
		depth, known := depths[id]
		if known || open[id] || g.specs[id] == nil {
			return depth
		}
		open[id] = true
		for _, before := range g.Before(id) {
			if g.specs[before] != nil && !open[before] {
				depth = max(depth, measure(before)+1)
			}
		}
		open[id] = false
		depths[id] = depth
		return depth
	}
	for _, id := range g.order {
		measure(id)
	}
	return depths
}

// Before lists what id waits for, done or not; waiting for a driver is waiting for its
// members too.
func (g *Graph) Before(id string) []string {
	if g.specs[id] == nil {
		return nil
	}
	waits := g.waits(id)
	for _, w := range waits {
		waits = append(waits, g.kids[w]...)
	}
	return waits
}
