package gitops

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// AwaitIndex returns once whoever writes a worktree is done, or when no one waits any more.
func TestAwaitIndex(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	assert.NoError(t, s.AwaitIndex(t.Context(), s.top))
	lock := filepath.Join(s.top, ".git", "index.lock")
	assert.NoError(t, os.WriteFile(lock, nil, 0o644))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.IsError(t, s.AwaitIndex(ctx, s.top), context.Canceled)
	go os.Remove(lock)
	if err := s.AwaitIndex(t.Context(), s.top); err != nil || !gone(lock) {
		t.Errorf("it was written: %v, gone %v", err, gone(lock))
	}
	assert.IsError(t, s.AwaitIndex(t.Context(), t.TempDir()), ErrNotRepository)
}
