package engine

import (
	"fmt"

	"chant/engine/spec"
)

// byMembers has a driver that asks for nothing itself speak by its members: it holds when
// nobody needs to wait for any of them. Each of them is verified as itself. all is asked
// only where it matters: it reads every spec.
func (r *VerifyResult) byMembers(all func() (*spec.Graph, error)) error {
	if r.Criteria.Total > 0 || r.Invalid != "" || r.Status != "" {
		return nil
	}
	graph, err := all()
	if err != nil {
		return err
	}
	members := graph.Members(r.SpecID)
	if len(members) == 0 {
		return nil
	}
	for _, id := range members {
		if !graph.Done(id) {
			r.Notes = fmt.Sprintf("member %s is not done", id)
			return nil
		}
	}
	r.Verified, r.Notes = true, "All members are done"
	return nil
}
