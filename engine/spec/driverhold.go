package spec

// HeldByDriver is the nearest driver above id whose own approval holds its members back,
// and why, nil and "" for none. A rejection of the whole is one of its parts, and what
// people have not approved is not worked piece by piece either.
func (g *Graph) HeldByDriver(id string) (driver *Spec, why string) {
	for _, d := range g.Drivers(id) {
		if why := g.withheld(d); why != "" {
			return g.specs[d], why
		}
	}
	return nil, ""
}

// withheld says why approval holds a driver back that is still open, "" when it does not.
func (g *Graph) withheld(id string) string {
	s := g.specs[id]
	if s.Status == Completed || s.Status == Cancelled {
		return ""
	}
	return s.ApprovalBlock()
}
