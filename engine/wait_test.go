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

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err)
		_, err = acquire(ended, path, "update", "x")
		_, refused := errors.AsType[*lockfile.HeldError](err)
		assert.NotEqual(t, waits, refused, "behind %+v", holder)
		assert.Equal(t, waits, errors.Is(err, context.Canceled), "behind %+v", holder)
		assert.NoError(t, lock.Release())
	}
	lock, err := lockfile.Acquire(path, "edit x")
	assert.NoError(t, err)
	got := make(chan error, 1)
	go func() {
		next, err := acquire(t.Context(), path, "update", "x")
		if err == nil {
			err = next.Release()
		}
		got <- err
	}()
	assert.NoError(t, lock.Release())
	assert.NoError(t, <-got)
}

// A process waits for a lock whose holder was killed, but not for one that a living process holds.
func TestAcquireLeft(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	lock, err := lockfile.Acquire(path, "check x")
	assert.NoError(t, err)
	_, err = AcquireLeft(t.Context(), path, "update", "x")
	assert.True(t, errors.As(err, new(*lockfile.HeldError)), "behind a living holder: %v", err)
	dead := lock.Holder()
	dead.Started = "before " + dead.Started // its number is ours now
	text, err := json.Marshal(dead)
	if err == nil {
		err = os.WriteFile(path, append([]byte{0}, text...), 0o644)
	}
	assert.NoError(t, err)
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = AcquireLeft(ended, path, "update", "x")
	assert.IsError(t, err, context.Canceled, "behind a dead holder, canceled")
	waits := &whenWaiting{Context: t.Context(), do: lock.Release}
	next, err := AcquireLeft(waits, path, "update", "x")
	assert.NoError(t, err, "behind a dead holder")
	assert.NoError(t, waits.err, "behind a dead holder")
	assert.NoError(t, next.Release())
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
		assert.Equal(t, c.want, RoleOf(lockfile.Holder{What: c.what, Role: c.role}), "%q with role %q", c.what, c.role)
	}
	for op := range insideRules() {
		got, want := purposeOf(op, "x"), RoleOf(lockfile.Holder{What: op + " x"})
		assert.Equal(t, want, got.Role)
		assert.Equal(t, "x", got.About)
		assert.Equal(t, op+" x", got.What)
	}
}
