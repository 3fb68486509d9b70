package gitops

import (
	"testing"

	"github.com/alecthomas/assert/v2"
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
	assert.NoError(t, err)
	s.git("pack-refs", "--all")
	packed, err := s.SnapshotRefs(t.Context())
	moves := was.Moves(packed)
	assert.NoError(t, err, "packing moved %v", moves)
	assert.Zero(t, moves, "packing moved %v", moves)
	s.git("branch", "-f", "moved", second)
	s.git("tag", "-d", "gone")
	s.git("update-ref", "refs/notes/chant", second)
	s.git("symbolic-ref", "refs/heads/alias", "refs/heads/loose")
	s.git("symbolic-ref", "HEAD", "refs/heads/loose")
	now, err := s.SnapshotRefs(t.Context())
	assert.NoError(t, err)
	want := []RefMove{
		{Name: "refs/heads/alias", To: "ref: refs/heads/loose"}, {Name: "refs/heads/moved", From: first, To: second},
		{Name: "refs/notes/chant", To: second}, {Name: "refs/tags/gone", From: first},
	}
	for name, from := range map[string]*RefSnapshot{"a snapshot": was, "a packed one": packed, "recorded refs": {Refs: was.Refs}} {
		assert.Equal(t, want, from.Moves(now), "%s", name)
	}
	assert.Equal(t, "ref: refs/heads/trunk", was.Heads[""])
	assert.Equal(t, "ref: refs/heads/loose", now.Heads[""])
	s.git("switch", "-q", "moved")
	entries, err := s.HeadEntries(s.Home())
	last := entries[len(entries)-1]
	assert.NoError(t, err)
	assert.Equal(t, HeadEntry{From: first, To: second, Why: "checkout: moving from loose to moved"}, last)
}
