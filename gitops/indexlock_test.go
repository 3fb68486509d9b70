package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// AwaitIndex returns once whoever writes a worktree is done, or when no one waits any more.
func TestAwaitIndex(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	if err := s.AwaitIndex(t.Context(), s.top); err != nil {
		t.Errorf("nobody writes: %v", err)
	}
	lock := filepath.Join(s.top, ".git", "index.lock")
	if err := os.WriteFile(lock, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.AwaitIndex(ctx, s.top); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits: %v", err)
	}
	go os.Remove(lock)
	if err := s.AwaitIndex(t.Context(), s.top); err != nil || !gone(lock) {
		t.Errorf("it was written: %v, gone %v", err, gone(lock))
	}
	if err := s.AwaitIndex(t.Context(), t.TempDir()); !errors.Is(err, ErrNotRepository) {
		t.Errorf("no repository: %v", err)
	}
}
