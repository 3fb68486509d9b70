package work

import (
	"os"
	"path/filepath"
	"testing"

	"chant/engine/run/runtest"

	"github.com/alecthomas/assert/v2"
)

// TestWorktrees lists the trees of runs with their size, the number of uncommitted files and what is wrong with them.
func TestWorktrees(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	agentDied().take(t, r)
	r.Git("worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), "mine"))
	got, err := Worktrees(t.Context(), r.P, WorktreeInput{})
	assert.NoError(t, err)
	assert.Equal(t, 1, got.Total)
	assert.Equal(t, 1, len(got.Worktrees))
	v := got.Worktrees[0]
	assert.Equal(t, runtest.ID, v.SpecID)
	assert.Equal(t, r.Job.Branch, v.Branch)
	assert.Equal(t, "in_progress", v.Status)
	assert.Equal(t, "interrupted", v.Run)
	assert.Equal(t, 1, v.Uncommitted)
	assert.Equal(t, "", v.Problem)
	assert.Equal(t, 0, v.Holder)
	assert.True(t, v.Bytes >= int64(len("half of it\n")+len(runtest.Plain)), "%d bytes, created %q", v.Bytes, v.Created)
	assert.NotEqual(t, "", v.Created)
	assert.NoError(t, os.RemoveAll(r.Trees.Tree))
	got, err = Worktrees(t.Context(), r.P, WorktreeInput{Limit: 1})
	assert.NoError(t, err)
	assert.Equal(t, 1, got.Total)
	assert.Equal(t, "its folder is gone", got.Worktrees[0].Problem)
}
