package picture

import (
	"slices"

	"chant/engine/spec"
)

// finder finds what specs need.
type finder struct{ g *spec.Graph }

// needs lists the needs of a spec, without those that follow from others.
func (f finder) needs(s *spec.Spec) []Need {
	var out []Need
	seen := map[string]bool{}
	add := func(id string, kind Kind) {
		if !seen[id] {
			seen[id] = true
			out = append(out, Need{Spec: s.ID, Needs: id, Kind: kind})
		}
	}
	for _, id := range f.ownNeeds(s) {
		add(id, f.kindOfOwn(s))
	}
	for _, id := range f.lastMembers(s) {
		add(id, Member)
	}
	for _, d := range f.g.Drivers(s.ID) {
		if f.isImplied(seen, d) {
			continue
		}
		for _, id := range f.ownNeeds(f.g.Spec(d)) {
			if id != s.ID && id != d {
				add(id, Driver)
			}
		}
	}
	return out
}

func (f finder) kindOfOwn(s *spec.Spec) Kind {
	if s.Fields.DependsOn == nil {
		return Order
	}
	return DependsOn
}

// ownNeeds lists the dependencies that a spec names, without its own members, or else the siblings before it.
func (f finder) ownNeeds(s *spec.Spec) []string {
	if s.Fields.DependsOn == nil {
		return f.siblingsBefore(s)
	}
	members := f.g.Members(s.ID)
	var out []string
	for _, id := range s.Fields.DependsOn {
		if !slices.Contains(out, id) && (id == s.ID || !slices.Contains(members, id)) {
			out = append(out, id)
		}
	}
	return out
}

// siblingsBefore lists the siblings before a member, from the nearest one back to one that itself waits for all before
// it.
func (f finder) siblingsBefore(s *spec.Spec) []string {
	parent, ok := spec.Parent(s.ID)
	if !ok {
		return nil
	}
	members := f.g.Members(parent)
	// A list with members that a driver names is not sorted, so that the search in it may fail.
	at, found := slices.BinarySearchFunc(members, s.ID, spec.Compare)
	// Members that a driver names follow in the order of the list.
	if !found {
		at = slices.Index(members, s.ID)
	}
	var out []string
	for at--; at >= 0; at-- {
		if up, _ := spec.Parent(members[at]); up != parent {
			continue
		}
		out = append(out, members[at])
		// That sibling itself waits for all before it.
		if f.g.Spec(members[at]).Fields.DependsOn == nil && f.g.CycleOf(members[at]) == nil {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// lastMembers lists the members of a container that no other member waits for.
func (f finder) lastMembers(s *spec.Spec) []string {
	members := f.g.Members(s.ID)
	if len(members) == 0 {
		return nil
	}
	needed := map[string]bool{}
	for _, id := range members {
		m := f.g.Spec(id)
		// In a cycle, all could follow from each other, and none would be last.
		if f.g.CycleOf(id) != nil {
			continue
		}
		for _, other := range f.ownNeeds(m) {
			needed[other] = true
		}
		for _, other := range f.g.Members(id) {
			needed[other] = true
		}
	}
	var out []string
	for _, id := range members {
		if !needed[id] {
			out = append(out, id)
		}
	}
	return out
}

// isImplied reports whether what a driver waits for follows for one of its members from another member that it needs.
func (f finder) isImplied(needs map[string]bool, driver string) bool {
	for _, m := range f.g.Members(driver) {
		if needs[m] && f.g.CycleOf(m) == nil {
			return true
		}
	}
	return false
}
