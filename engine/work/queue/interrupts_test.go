package queue

import (
	"context"
	"io/fs"
	"os"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/store/local"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// TestHandleInterrupts: after the first Ctrl-C nothing more starts, the second stops what runs, and release ends both.
func TestHandleInterrupts(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2} {
		k := crewOf(t)
		interrupts := make(chan struct{})
		k.p.Interrupts = interrupts
		var warned []string
		k.p.Progress = func(ev engine.Event) { warned = append(warned, ev.Text) }
		ctx, cancel := context.WithCancel(t.Context())
		drain, release := k.handleInterrupts(ctx, cancel)
		if n > 0 {
			interrupts <- struct{}{}
			<-drain
		}
		if n > 1 {
			interrupts <- struct{}{}
			<-ctx.Done()
		}
		release()
		select {
		case <-drain:
			assert.NotEqual(t, 0, n, "drains without a Ctrl-C")
		default:
		}
		assert.Equal(t, n > 1, ctx.Err() != nil, "after %q", warned)
		assert.Equal(t, min(n, 1), len(warned), "after %q", warned)
		cancel()
	}
}

// watching is a project that holds the lock of a watch, whose clock advances at each look.
func watching(t *testing.T) (*engine.Project, *lockfile.Lock) {
	t.Helper()
	p, _ := enginetest.Project(t)
	path, err := engine.LockFor(p, watchName)
	assert.NoError(t, err)
	lock, err := lockfile.Acquire(path, "watch")
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, lock.Release()) })
	now := p.Now()
	p.Now = func() time.Time { now = now.Add(time.Second); return now }
	return p, lock
}

// TestAddStopRequests: a watch heeds Ctrl-C and requests to stop alike, and ends at once if a request says so. What was
// requested is removed at the end.
func TestAddStopRequests(t *testing.T) {
	t.Parallel()
	p, lock := watching(t)
	keys := make(chan struct{})
	p.Interrupts = keys
	ctx, own, release := engine.AddStopRequests(t.Context(), p, watchName, lock)
	keys <- struct{}{}
	<-own.Interrupts
	got, err := WatchStop(t.Context(), p, WatchStopInput{})
	assert.NoError(t, err)
	assert.Equal(t, os.Getpid(), got.PID)
	<-own.Interrupts
	assert.NoError(t, ctx.Err(), "a request to stop ended what runs")
	_, err = WatchStop(t.Context(), p, WatchStopInput{Now: true})
	assert.NoError(t, err)
	<-ctx.Done()
	assert.NoError(t, release())
	path, err := p.Store.Local(local.Locks, watchName+".stop")
	assert.NoError(t, err)
	_, err = os.Stat(path)
	assert.IsError(t, err, fs.ErrNotExist, "the request is left")
}
