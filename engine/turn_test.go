package engine

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"chant/gitops"
)

// TestAcquire_waitsForWritersAlone: who only writes is waited for as long as the
// caller has patience, all others are named at once.
func TestAcquire_waitsForWritersAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	ended, end := context.WithCancel(t.Context())
	end()
	for holder, waits := range map[string]bool{"update x": true, "check x": true, "edit x": true, "work x": false, "finalize x": false, "merge x": false} {
		lock, err := gitops.Acquire(path, holder)
		if err != nil {
			t.Fatal(err)
		}
		_, err = acquire(ended, path, "update x")
		if _, refused := errors.AsType[*gitops.LockError](err); refused == waits || errors.Is(err, context.Canceled) != waits {
			t.Errorf("behind %q: %v", holder, err)
		}
		if err := lock.Release(); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := gitops.Acquire(path, "edit x")
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() {
		next, err := acquire(t.Context(), path, "update x")
		if err == nil {
			err = next.Release()
		}
		got <- err
	}()
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if err := <-got; err != nil {
		t.Error(err)
	}
}
