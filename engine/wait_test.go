package engine

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"chant/gitops/lockfile"
)

// TestAcquire_waitsForWritersAlone: who only writes is waited for as long as the
// caller has patience, all others are named at once.
func TestAcquire_waitsForWritersAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	ended, end := context.WithCancel(t.Context())
	end()
	for holder, waits := range map[string]bool{"update x": true, "check x": true, "edit x": true, "work x": false, "finalize x": false, "merge x": false} {
		lock, err := lockfile.Acquire(path, holder)
		if err != nil {
			t.Fatal(err)
		}
		_, err = acquire(ended, path, "update x")
		if _, refused := errors.AsType[*lockfile.HeldError](err); refused == waits || errors.Is(err, context.Canceled) != waits {
			t.Errorf("behind %q: %v", holder, err)
		}
		if err := lock.Release(); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := lockfile.Acquire(path, "edit x")
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

// A lock whose holder was killed is waited for, one that a living process holds is not.
func TestAcquireLeft(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	lock, err := lockfile.Acquire(path, "check x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := AcquireLeft(t.Context(), path, "update x"); !errors.As(err, new(*lockfile.HeldError)) {
		t.Errorf("behind a living holder: %v", err)
	}
	dead := lock.Holder()
	dead.Started = "before " + dead.Started // its number belongs to us now
	text, err := json.Marshal(dead)
	if err == nil {
		err = os.WriteFile(path, append([]byte{0}, text...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := AcquireLeft(ended, path, "update x"); !errors.Is(err, context.Canceled) {
		t.Errorf("behind a dead holder, canceled: %v", err)
	}
	waits := &whenWaiting{Context: t.Context(), do: lock.Release}
	next, err := AcquireLeft(waits, path, "update x")
	if err != nil || waits.err != nil {
		t.Fatalf("behind a dead holder: %v, %v", err, waits.err)
	}
	if err := next.Release(); err != nil {
		t.Error(err)
	}
}

// whenWaiting does something once, when its context is first waited for.
type whenWaiting struct {
	context.Context
	once sync.Once
	do   func() error
	err  error
}

func (w *whenWaiting) Done() <-chan struct{} {
	w.once.Do(func() { w.err = w.do() })
	return w.Context.Done()
}
