package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
)

func offer(t *testing.T, q *jetstream.Broker, id string, needs fleet.Needs) {
	t.Helper()
	if err := q.Offer(until(t), fleet.Entry{ID: id, Commit: "c-" + id, Needs: needs}); err != nil {
		t.Fatalf("offering %q: %v", id, err)
	}
}

// take takes the next entry, which must be that of a spec.
func take(t *testing.T, q *jetstream.Broker, by fleet.Node, id string) *jetstream.Delivery {
	t.Helper()
	d, err := q.Take(until(t), by)
	if err != nil {
		t.Fatalf("taking %q: %v", id, err)
	}
	if e := d.Entry(); e.ID != id || e.Commit != "c-"+id {
		t.Fatalf("took %+v, want %q", e, id)
	}
	return d
}

func node(name string) fleet.Node { return fleet.Node{Name: name, Slots: 1} }

// empty checks that nothing is left, by an entry that is offered last and must be the next one.
func empty(t *testing.T, q *jetstream.Broker) {
	t.Helper()
	offer(t, q, "the-last-one", fleet.Needs{})
	finish(t, take(t, q, node("z"), "the-last-one"))
}

func TestQueue_offeredAgain(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	offer(t, q, "a", fleet.Needs{})
	d := take(t, q, node("n"), "a")
	offer(t, q, "a", fleet.Needs{})
	offer(t, q, "b", fleet.Needs{})
	finish(t, take(t, q, node("n"), "b"))
	finish(t, d)
	empty(t, q)
}

func TestQueue_otherNeeds(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	offer(t, q, "a", fleet.Needs{})
	offer(t, q, "a", fleet.Needs{Labels: []string{"gpu"}})
	able := fleet.Node{Name: "n", Labels: []string{"gpu"}}
	finish(t, take(t, q, able, "a"))
	offer(t, q, "b", fleet.Needs{})
	finish(t, take(t, q, able, "b"))
}

func TestQueue_order(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	for i := range 9 {
		offer(t, q, fmt.Sprint("s", i), []fleet.Needs{{}, {Provider: "p"}, {Labels: []string{"l"}}}[i%3])
	}
	able := fleet.Node{Name: "n", Providers: []string{"p"}, Labels: []string{"l"}}
	for i := range 9 {
		finish(t, take(t, q, able, fmt.Sprint("s", i)))
	}
}

func TestQueue_canceled(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		d, err := q.Take(ctx, node("n"))
		if d != nil {
			t.Errorf("took %v", d.Entry())
		}
		done <- err
	}()
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the context was cancelled", err)
	}
	if _, err := q.Take(ctx, node("n")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the context was cancelled", err)
	}
	empty(t, q)
}

func TestQueue_lost(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	offer(t, q, "a", fleet.Needs{})
	first := take(t, q, node("first"), "a")
	second := take(t, q, node("second"), "a")
	for name, do := range map[string]func() error{
		"heartbeat": func() error { return first.Heartbeat(until(t)) },
		"finish":    func() error { return first.Finish(until(t), fleet.Outcome{}) },
		"put back":  func() error { return first.PutBack(until(t), 0, "") },
	} {
		if err := do(); !errors.Is(err, fleet.ErrLost) {
			t.Errorf("%s of the first taker: %v, want %v", name, err, fleet.ErrLost)
		}
	}
	if err := second.Heartbeat(until(t)); err != nil {
		t.Errorf("heartbeat of the second taker: %v", err)
	}
	finish(t, second)
	if err := first.Heartbeat(until(t)); !errors.Is(err, fleet.ErrLost) {
		t.Errorf("heartbeat of the first taker at the end: %v, want %v", err, fleet.ErrLost)
	}
	empty(t, q)
}

// TestQueue_heartbeats: an entry without heartbeats is lost twice, while one with heartbeats stays where it is.
func TestQueue_heartbeats(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	offer(t, q, "kept", fleet.Needs{})
	kept := take(t, q, node("n"), "kept")
	offer(t, q, "lost", fleet.Needs{})
	take(t, q, node("m"), "lost")
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		pace := time.NewTicker(patience / 20)
		defer pace.Stop()
		for {
			if err := kept.Heartbeat(until(t)); err != nil {
				t.Errorf("heartbeat: %v", err)
			}
			select {
			case <-stop:
				return
			case <-pace.C:
			}
		}
	}()
	for range 2 {
		take(t, q, node("o"), "lost")
	}
	close(stop)
	<-done
	finish(t, kept)
}

func TestQueue_putBack(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	offer(t, q, "long", fleet.Needs{})
	offer(t, q, "short", fleet.Needs{})
	offer(t, q, "next", fleet.Needs{})
	long, short := take(t, q, node("n"), "long"), take(t, q, node("n"), "short")
	if err := long.PutBack(until(t), time.Hour, "full"); err != nil {
		t.Fatal(err)
	}
	if err := short.PutBack(until(t), 2*patience, "full"); err != nil {
		t.Fatal(err)
	}
	next := take(t, q, node("n"), "next")
	finish(t, next)
	finish(t, take(t, q, node("n"), "short"))
	empty(t, q)
}

// receive waits for a value from a channel.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v, ok := <-from:
		if !ok {
			t.Fatal("the channel was closed")
		}
		return v
	case <-until(t).Done():
		t.Fatal("nothing was received")
	}
	panic("unreachable")
}

func TestQueue_manyTakers(t *testing.T) {
	t.Parallel()
	q := newMachine(t).keep()
	const takers, entries = 8, 60
	var (
		mu    sync.Mutex
		taken = map[string]int{}
		all   sync.WaitGroup
	)
	ctx, stop := context.WithCancel(until(t))
	for i := range takers {
		all.Go(func() {
			for {
				d, err := q.Take(ctx, node(fmt.Sprint("n", i)))
				if err != nil {
					if !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					return
				}
				if err := d.Finish(until(t), fleet.Outcome{}); err != nil {
					t.Errorf("finishing %q: %v", d.Entry().ID, err)
				}
				mu.Lock()
				taken[d.Entry().ID]++
				if len(taken) == entries {
					stop()
				}
				mu.Unlock()
			}
		})
	}
	for i := range entries {
		offer(t, q, fmt.Sprint("s", i), fleet.Needs{})
	}
	all.Wait()
	stop()
	for id, times := range taken {
		if times != 1 {
			t.Errorf("%q was taken %d times", id, times)
		}
	}
	if len(taken) != entries {
		t.Errorf("%d entries were taken, want %d", len(taken), entries)
	}
}
