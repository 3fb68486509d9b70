package queue

import (
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
