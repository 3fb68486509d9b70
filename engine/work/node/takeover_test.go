package node_test

import (
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/work"
	"chant/engine/work/node/leader"
)

// TestLeader_forgetsLanded: once a person has completed and pushed what a machine had ended, its claim and branch go. What
// is not in the target stays.
func TestLeader_forgetsLanded(t *testing.T) {
	t.Parallel()
	m := newMachines(t, chained(3))
	p, r := m.Clone()
	for _, n := range []string{id(1), id(3)} {
		l := m.abandon("w", n, p, r)
		tip, err := p.Repo.Resolve(t.Context(), "refs/heads/chant/"+n)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Push(t.Context(), tip, func(c *fleet.Claim) { c.State = fleet.Ended }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := work.Merge(t.Context(), p, work.MergeInput{ID: id(1)}); err != nil {
		t.Fatal(err)
	}
	enginetest.Git(t, p.Repo.Home(), "push", "-q", "origin", "main")
	lp, lr := m.Clone()
	if err := r.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := (&leader.Leader{P: lp, Remote: lr, Broker: m.broker, Name: "hub"}).Round(t.Context()); err != nil {
		t.Fatal(err)
	}
	refs := m.Git("for-each-ref", "--format=%(refname)")
	if strings.Contains(refs, id(1)) || !strings.Contains(refs, fleet.ClaimRef(id(3))) || !strings.Contains(refs, "refs/heads/chant/"+id(3)) {
		t.Errorf("refs are\n%s", refs)
	}
}
