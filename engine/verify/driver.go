package verify

import (
	"context"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"
)

// judgeByMembers sets the result of a driver without a criterion or command of its own: it is verified if all its
// members are done and at least one of them had something to verify. Each member is verified separately. judgeByMembers
// calls all only if the result depends on it, because all reads every spec.
func (r *VerifyResult) judgeByMembers(all func() (*spec.Graph, error), checks spec.Checks) error {
	if r.Criteria.Total > 0 || r.Invalid != "" || r.Status != criteria.Nothing {
		return nil
	}
	// Only here, since it reads every spec.
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
			r.Status, r.Notes = "", fmt.Sprintf("member %s is not done", id)
			return nil
		}
	}
	checked := slices.ContainsFunc(members, func(id string) bool {
		m := graph.Spec(id)
		return m != nil && m.Status == spec.Completed && (m.OwnChecks() || len(checks.Commands) > 0)
	})
	if checked {
		r.Status, r.Verified, r.Notes = "", true, "All members are done"
	}
	return nil
}

// judgedByMembersOnly reports whether a spec is a driver that has members and no criterion or command of its own. The
// completion of such a driver needs no evidence, because its members have theirs. was is the earlier version of the
// spec, nil for a new one: if it had something to verify or another type, judgedByMembersOnly returns false, so that an
// edit cannot turn a spec into a driver to avoid the need for evidence.
func judgedByMembersOnly(ctx context.Context, p *engine.Project, s, was *spec.File) (bool, error) {
	// An edit could turn a spec into a driver so that its completion needs no evidence.
	if s.OwnChecks() || was != nil && (was.OwnChecks() || was.Fields.Type != s.Fields.Type) {
		return false, nil
	}
	ids, err := p.Store.IDs(ctx)
	return slices.ContainsFunc(ids, func(id string) bool {
		return spec.MemberOf(id, s.ID) || slices.Contains(s.Fields.Members, id)
	}), err
}
