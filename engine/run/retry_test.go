package run

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// newProject is a project in a repository of its own, with nothing in it.
func newProject(t *testing.T) (*gitops.Repo, *store.Store) {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "begin"}} {
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput()
		assert.NoError(t, err, "git %v: %s", args, out)
	}
	assert.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.FromSlash(store.SpecsDir)), 0o755))
	assert.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(store.ConfigPath)), nil, 0o644))
	repo, err := gitops.Open(dir)
	assert.NoError(t, err)
	st, err := store.Open(repo, "chant/")
	assert.NoError(t, err)
	return repo, st
}

// TestPauseUntil_unwritten: no one waits for a retry that the branch does not mention.
func TestPauseUntil_unwritten(t *testing.T) {
	t.Parallel()
	repo, st := newProject(t)
	r := newRun(attempt.New(attempt.Attempt{Repo: repo, Store: st, Job: journal.Job{ID: "2026-01-02-001-abc", Attempt: 1}, Now: time.Now}, &journal.History{}, nil))
	cause := &journal.Failure{Kind: spec.ReasonAgent, Message: "slow down"}
	assert.Error(t, r.pauseUntil(t.Context(), spec.Retry{Attempts: 1, Next: 1}, cause), "a spec that nobody has was paused")
	assert.True(t, cause.Again.IsZero(), "it says that it goes on at %s", cause.Again)
}
