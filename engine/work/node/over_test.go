package node_test

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
)

// TestLeader_over: the claim on a spec that a person has dealt with on the target is removed, and no commit of its branch
// is lost.
func TestLeader_over(t *testing.T) {
	t.Parallel()
	path := ".chant/specs/" + id(1) + ".md"
	for name, c := range map[string]struct {
		person func(t *testing.T, dir, tip string) // in a checkout of the target
		state  fleet.ClaimState
		keeps  bool
	}{
		"merged": {func(t *testing.T, dir, tip string) {
			enginetest.Git(t, dir, "merge", "-q", "--no-ff", "-m", "by hand", tip)
		}, fleet.Completed, false},
		"cancelled": {func(t *testing.T, dir, _ string) {
			text := enginetest.Read(t, dir, path)
			enginetest.Commit(t, dir, map[string]string{path: strings.Replace(text, "status: pending", "status: cancelled", 1)})
		}, fleet.Ended, true},
		"removed": {func(t *testing.T, dir, _ string) {
			enginetest.Git(t, dir, "rm", "-q", path)
			enginetest.CommitAll(t, dir)
		}, fleet.Returned, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachines(t, chained(1))
			p, r := m.Clone()
			lease := m.abandon("w", id(1), p, r)
			tip := enginetest.Git(t, engine.Home(p), "rev-parse", "chant/"+id(1))
			if err := lease.Push(t.Context(), tip, func(cl *fleet.Claim) { cl.State = c.state }); err != nil {
				t.Fatal(err)
			}
			other, _ := m.Clone()
			dir := engine.Home(other)
			c.person(t, dir, "origin/chant/"+id(1))
			enginetest.Git(t, dir, "push", "-q", "origin", "main")
			lp, lr := m.Clone()
			l := leading(m, lp, lr)
			for range 2 { // the first round may only land
				if _, err := l.Round(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			refs := m.Git("for-each-ref", "--format=%(refname)")
			if strings.Contains(refs, "claims") || strings.Contains(refs, "heads/chant") || strings.Contains(refs, "rescue") != c.keeps {
				t.Errorf("refs are\n%s", refs)
			}
			if out := m.Git("for-each-ref", "--contains", tip); out == "" {
				t.Errorf("%s is lost", tip)
			}
		})
	}
}
