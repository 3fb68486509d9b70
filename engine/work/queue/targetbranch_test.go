package queue

import (
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/work"
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
		if err := applyOntoToAll(t.Context(), p, WorkAllInput{IDs: []string{"001"}, Options: work.Options{Onto: bad}}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if err := applyOntoToAll(t.Context(), p, onto("001", "003", numbered(7))); err != nil {
		t.Fatal(err)
	}
	set, err := p.Store.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, s := range set.Specs {
		if s.Target == "release" {
			targets = append(targets, strings.TrimPrefix(s.ID, "2026-01-02-"))
		}
	}
	if got, want := strings.Join(targets, " "), "001-abc 007-abc 007-abc.1 007-abc.2 007-abc.3 007-abc.3.1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSpecsForOnto lists drivers before their members, and no specs that are done.
func TestSpecsForOnto(t *testing.T) {
	t.Parallel()
	p := queued(t)
	_, g, err := engine.Graph(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		in   WorkAllInput
		want []string
	}{
		"one":      {WorkAllInput{IDs: []string{"002"}}, []string{numbered(2)}},
		"a driver": {WorkAllInput{IDs: []string{numbered(7)}}, append([]string{numbered(7)}, g.Members(numbered(7))...)},
		"a label":  {WorkAllInput{Labels: []string{"api"}}, []string{numbered(1)}},
	} {
		if got, err := specsForOnto(t.Context(), p, c.in, g); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
	all, err := specsForOnto(t.Context(), p, WorkAllInput{All: true}, g)
	if err != nil || slices.Contains(all, numbered(3)) || slices.Contains(all, numbered(4)) || !slices.Contains(all, numbered(5)) {
		t.Errorf("%q, %v", all, err)
	}
}
