package gitops

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func FuzzParseWorktrees(f *testing.F) {
	f.Add("worktree /a b\x00HEAD 1\x00branch refs/heads/x\x00locked why\x00\x00worktree /c\x00detached\x00prunable gone\x00\x00")
	f.Fuzz(func(t *testing.T, out string) {
		for _, w := range parseWorktrees(out) {
			assert.NotEqual(t, "", w.Path, "a worktree without a path")
		}
	})
}

func TestParseWorktrees(t *testing.T) {
	t.Parallel()
	got := parseWorktrees("worktree /a b\x00HEAD 1\x00branch refs/heads/chant/x\x00\x00worktree /c\x00HEAD 2\x00detached\x00locked\x00prunable gone\x00\x00")
	want := []Worktree{{Path: "/a b", Branch: "chant/x"}, {Path: "/c", Head: "2", Locked: true, Prunable: true}}
	assert.Equal(t, want, got)
}
