package queue

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
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
			if n == 0 {
				t.Error("drains without a Ctrl-C")
			}
		default:
		}
		if (ctx.Err() != nil) != (n > 1) || len(warned) != min(n, 1) {
			t.Errorf("after %d: %v, warned %q", n, ctx.Err(), warned)
		}
		cancel()
	}
}

// watching is a project that holds the lock of a watch, whose clock advances at each look.
func watching(t *testing.T) (*engine.Project, *lockfile.Lock) {
	t.Helper()
	p, _ := enginetest.Project(t)
	path, err := engine.LockFor(p, watchName)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := lockfile.Acquire(path, "watch")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := lock.Release(); err != nil {
			t.Error(err)
		}
	})
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
	if got, err := WatchStop(t.Context(), p, WatchStopInput{}); err != nil || got.PID != os.Getpid() {
		t.Fatalf("%+v, %v", got, err)
	}
	<-own.Interrupts
	if ctx.Err() != nil {
		t.Error("a request to stop ended what runs")
	}
	if _, err := WatchStop(t.Context(), p, WatchStopInput{Now: true}); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	if err := release(); err != nil {
		t.Error(err)
	}
	path, err := p.Store.Local(local.Locks, watchName+".stop")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the request is left: %v", err)
	}
}
