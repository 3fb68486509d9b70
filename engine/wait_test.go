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

// TestAcquire_waitsForWritersAlone: acquire waits for holders that only write, for a limited time. Any other holder is
// an error at once.
func TestAcquire_waitsForWritersAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	ended, end := context.WithCancel(t.Context())
	end()
	old := func(what string) lockfile.Purpose { return lockfile.Purpose{What: what} } // of an older version
	for holder, waits := range map[lockfile.Purpose]bool{
		old("update x"): true, old("check x"): true, old("edit x"): true, old(""): true,
		old("work x"): false, old("finalize x"): false, old("merge x"): false, old("cleanup edit"): false,
		purposeOf("edit", "x"): true, purposeOf("approve", "x"): true, purposeOf("work", "x"): false, purposeOf("split", "x"): false,
		{What: "edit x", Role: lockfile.Lasting}: false, {What: "edit x", Role: lockfile.Works}: false, {What: "work x", Role: lockfile.Brief}: true,
	} {
		lock, err := lockfile.AcquireFor(path, holder)
		if err != nil {
			t.Fatal(err)
		}
		_, err = acquire(ended, path, "update", "x")
		if _, refused := errors.AsType[*lockfile.HeldError](err); refused == waits || errors.Is(err, context.Canceled) != waits {
			t.Errorf("behind %+v: %v", holder, err)
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
		next, err := acquire(t.Context(), path, "update", "x")
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

// A process waits for a lock whose holder was killed, but not for one that a living process holds.
func TestAcquireLeft(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	lock, err := lockfile.Acquire(path, "check x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := AcquireLeft(t.Context(), path, "update", "x"); !errors.As(err, new(*lockfile.HeldError)) {
		t.Errorf("behind a living holder: %v", err)
	}
	dead := lock.Holder()
	dead.Started = "before " + dead.Started // its number is ours now
	text, err := json.Marshal(dead)
	if err == nil {
		err = os.WriteFile(path, append([]byte{0}, text...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := AcquireLeft(ended, path, "update", "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("behind a dead holder, canceled: %v", err)
	}
	waits := &whenWaiting{Context: t.Context(), do: lock.Release}
	next, err := AcquireLeft(waits, path, "update", "x")
	if err != nil || waits.err != nil {
		t.Fatalf("behind a dead holder: %v, %v", err, waits.err)
	}
	if err := next.Release(); err != nil {
		t.Error(err)
	}
}

// whenWaiting calls a function once, when its context is first waited for.
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

// The role of a holder decides; without one, in locks of older versions, its text does.
func TestRoleOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what string
		role lockfile.Role
		want lockfile.Role
	}{
		{"", "", lockfile.Brief},
		{"derive x", "", lockfile.Brief},
		{"work x", "", lockfile.Works},
		{"takeover x", "", lockfile.Lasting},
		{"working on x", "", lockfile.Lasting},
		{"work x", lockfile.Lasting, lockfile.Lasting},
		{"merge x", lockfile.Works, lockfile.Works},
		{"edit x", lockfile.Works, lockfile.Works},
	} {
		if got := RoleOf(lockfile.Holder{What: c.what, Role: c.role}); got != c.want {
			t.Errorf("%q with role %q: %q, want %q", c.what, c.role, got, c.want)
		}
	}
	for op := range insideRules() {
		if got, want := purposeOf(op, "x"), RoleOf(lockfile.Holder{What: op + " x"}); got.Role != want || got.About != "x" || got.What != op+" x" {
			t.Errorf("%s: %+v, but a holder of an older version is %q", op, got, want)
		}
	}
}
