package queue

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/work"

	"github.com/alecthomas/assert/v2"
)

// TestApplyOntoToAll writes the target branch into each spec that a command works and that has no run, and leaves those
// that are done.
func TestApplyOntoToAll(t *testing.T) {
	t.Parallel()
	p := queued(t)
	enginetest.Git(t, engine.Home(p), "branch", "release")
	onto := func(ids ...string) (in WorkAllInput) {
		in.IDs, in.Onto = ids, "release"
		return in
	}
	for name, bad := range map[string]string{"no such branch": "nowhere", "no name of a branch": "a..b"} {
		assert.Error(t, applyOntoToAll(t.Context(), p, WorkAllInput{IDs: []string{"001"}, Options: work.Options{Onto: bad}}), "%s is accepted", name)
	}
	assert.NoError(t, applyOntoToAll(t.Context(), p, onto("001", "003", numbered(7))))
	set, err := p.Store.Load(t.Context())
	assert.NoError(t, err)
	var targets []string
	for _, s := range set.Specs {
		if s.Target == "release" {
			targets = append(targets, strings.TrimPrefix(s.ID, "2026-01-02-"))
		}
	}
	got, want := strings.Join(targets, " "), "001-abc 007-abc 007-abc.1 007-abc.2 007-abc.3 007-abc.3.1"
	assert.Equal(t, want, got)
}

// TestSpecsForOnto lists drivers before their members, and no specs that are done.
func TestSpecsForOnto(t *testing.T) {
	t.Parallel()
	p := queued(t)
	_, g, err := engine.Graph(t.Context(), p)
	assert.NoError(t, err)
	for name, c := range map[string]struct {
		in   WorkAllInput
		want []string
	}{
		"one":      {WorkAllInput{IDs: []string{"002"}}, []string{numbered(2)}},
		"a driver": {WorkAllInput{IDs: []string{numbered(7)}}, append([]string{numbered(7)}, g.Members(numbered(7))...)},
		"a label":  {WorkAllInput{Labels: []string{"api"}}, []string{numbered(1)}},
	} {
		got, err := specsForOnto(t.Context(), p, c.in, g)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, got, "%s", name)
	}
	all, err := specsForOnto(t.Context(), p, WorkAllInput{All: true}, g)
	assert.NoError(t, err)
	assert.NotSliceContains(t, all, numbered(3))
	assert.NotSliceContains(t, all, numbered(4))
	assert.SliceContains(t, all, numbered(5))
}
