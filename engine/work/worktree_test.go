package work

import (
	"os"
	"path/filepath"
	"testing"

	"chant/engine/run/runtest"
)

// TestWorktrees lists the trees of runs with their size, the number of uncommitted files and what is wrong with them.
func TestWorktrees(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	agentDied().take(t, r)
	r.Git("worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), "mine"))
	got, err := Worktrees(t.Context(), r.P, WorktreeInput{})
	if err != nil || got.Total != 1 || len(got.Worktrees) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	v := got.Worktrees[0]
	if v.SpecID != runtest.ID || v.Branch != r.Job.Branch || v.Status != "in_progress" || v.Run != "interrupted" || v.Uncommitted != 1 || v.Problem != "" || v.Holder != 0 {
		t.Errorf("%+v", v)
	}
	if least := int64(len("half of it\n") + len(runtest.Plain)); v.Bytes < least || v.Created == "" {
		t.Errorf("%d bytes, created %q", v.Bytes, v.Created)
	}
	if err := os.RemoveAll(r.Tree); err != nil {
		t.Fatal(err)
	}
	if got, err := Worktrees(t.Context(), r.P, WorktreeInput{Limit: 1}); err != nil || got.Total != 1 || got.Worktrees[0].Problem != "its folder is gone" {
		t.Errorf("%+v, %v", got, err)
	}
}
