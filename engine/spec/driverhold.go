package spec

// HeldByDriver is the nearest driver above id whose own approval holds its members back,
// and how, nil for none. A rejection of the whole is one of its parts, and what
// people have not approved is not worked piece by piece either.
func (g *Graph) HeldByDriver(id string) (driver *Spec, hold Hold) {
	for _, d := range g.Drivers(id) {
		if hold := g.withheld(d); hold.Exists() {
			return g.specs[d], hold
		}
	}
	return nil, Hold{}
}

// withheld says how approval holds a driver back that is still open.
func (g *Graph) withheld(id string) Hold {
	s := g.specs[id]
	if s.Status == Completed || s.Status == Cancelled {
		return Hold{}
	}
	return s.ApprovalBlock()
}
