package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"chant/engine/store/local"

	"github.com/alecthomas/assert/v2"
)

// TestViewChanges signals changes of journals, locks, questions, specs and branches, and LogChanges those of logs. The
// interval is too long to be the reason.
func TestViewChanges(t *testing.T) {
	t.Parallel()
	s := newProject(t).Store
	view, err := s.ViewChanges(t.Context(), time.Hour)
	if err != nil {
		t.Skipf("the system reports no changes: %v", err)
	}
	logs, err := s.LogChanges(t.Context(), time.Hour)
	assert.NoError(t, err)
	for _, c := range []struct {
		path    string
		changed <-chan struct{}
	}{
		{s.JournalPath("2026-01-02-001-abc"), view}, {s.LockPath("2026-01-02-001-abc"), view}, {s.LocalPath(local.Questions, "x"), view},
		{filepath.Join(specsDir(s), "2026-01-02-001-abc.md"), view}, {filepath.Join(branchesDir(s), "new"), view}, {s.LogPath("2026-01-02-001-abc"), logs},
	} {
		assert.NoError(t, os.WriteFile(c.path, []byte("x"), 0o644))
		select {
		case <-c.changed:
		case <-time.After(time.Minute):
			t.Errorf("a change of %s is not signalled", c.path)
		}
	}
}
