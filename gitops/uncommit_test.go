package gitops

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestUncommit takes back what CommitAll has made of files new, edited and removed.
func TestUncommit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.commit("gone.txt", "gone\n")
	tip := s.git("rev-parse", "HEAD")
	s.write("base.txt", "mine\n")
	s.write("new é.txt", "new\n")
	s.remove("gone.txt")
	before := s.git("status", "--porcelain")
	commit := must[string](t)(s.CommitAll(t.Context(), s.top, "all"))
	err := s.Uncommit(t.Context(), s.top, tip, tip)
	assert.NoError(t, err, "a commit that is not the newest")
	assert.Equal(t, commit, s.git("rev-parse", "HEAD"), "a commit that is not the newest")
	assert.NoError(t, s.Uncommit(t.Context(), s.top, commit, tip))
	now := s.git("status", "--porcelain")
	assert.Equal(t, before, now)
	assert.Equal(t, tip, s.git("rev-parse", "HEAD"))
	assert.Equal(t, "trunk", s.git("symbolic-ref", "--short", "HEAD"))
}
