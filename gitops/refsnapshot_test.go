package gitops

import (
	"slices"
	"testing"
)

// TestSnapshotRefs finds which refs were added, moved and removed, whether they are packed or not.
func TestSnapshotRefs(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.commit("a.txt", "a")
	first, second := s.git("rev-parse", "HEAD~1"), s.git("rev-parse", "HEAD")
	s.git("branch", "moved", first)
	s.git("branch", "loose", first)
	s.git("tag", "v1", first)
	s.git("tag", "gone", first)
	was, err := s.SnapshotRefs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.git("pack-refs", "--all")
	packed, err := s.SnapshotRefs(t.Context())
	if moves := was.Moves(packed); err != nil || len(moves) > 0 {
		t.Errorf("packing moved %v, %v", moves, err)
	}
	s.git("branch", "-f", "moved", second)
	s.git("tag", "-d", "gone")
	s.git("update-ref", "refs/notes/chant", second)
	s.git("symbolic-ref", "refs/heads/alias", "refs/heads/loose")
	s.git("symbolic-ref", "HEAD", "refs/heads/loose")
	now, err := s.SnapshotRefs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []RefMove{
		{Name: "refs/heads/alias", To: "ref: refs/heads/loose"}, {Name: "refs/heads/moved", From: first, To: second},
		{Name: "refs/notes/chant", To: second}, {Name: "refs/tags/gone", From: first},
	}
	for name, from := range map[string]*RefSnapshot{"a snapshot": was, "a packed one": packed, "recorded refs": {Refs: was.Refs}} {
		if got := from.Moves(now); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if was.Heads[""] != "ref: refs/heads/trunk" || now.Heads[""] != "ref: refs/heads/loose" {
		t.Errorf("HEAD was %q, is %q", was.Heads[""], now.Heads[""])
	}
	s.git("switch", "-q", "moved")
	entries, err := s.HeadEntries(s.Home())
	if last := entries[len(entries)-1]; err != nil || last != (HeadEntry{From: first, To: second, Why: "checkout: moving from loose to moved"}) {
		t.Errorf("last entry %+v, %v", last, err)
	}
}
