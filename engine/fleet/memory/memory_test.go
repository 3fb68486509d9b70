package memory_test

import (
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chant/engine/fleet"
	"chant/engine/fleet/fleettest"
	"chant/engine/fleet/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clock is moved by tests.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	timers []timer
}

type timer struct {
	at time.Time
	to chan time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := timer{at: c.now.Add(d), to: make(chan time.Time, 1)}
	c.timers = append(c.timers, t)
	return t.to
}

func (c *clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	var left []timer
	for _, t := range c.timers {
		if t.at.After(c.now) {
			left = append(left, t)
		} else {
			t.to <- c.now
		}
	}
	c.timers = left
}

// TestQueue: the queue in memory passes the tests of every queue.
func TestQueue(t *testing.T) {
	t.Parallel()
	fleettest.TestQueue(t, func(*testing.T) fleettest.Queue {
		c := &clock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		return fleettest.Queue{
			Queue:    memory.New(memory.Options{Now: c.Now, After: c.After}),
			Patience: fleet.Patience, Pass: c.Pass,
		}
	})
}

// TestTake_later: whoever waits gets an entry when the patience for its first taker ends, although nothing else
// happens.
func TestTake_later(t *testing.T) {
	t.Parallel()
	asked := make(chan time.Duration, 1)
	due := make(chan time.Time)
	now := &clock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	q := memory.New(memory.Options{Now: now.Now, After: func(d time.Duration) <-chan time.Time {
		asked <- d
		return due
	}})
	ctx := t.Context()
	if err := q.Offer(ctx, fleet.Entry{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Take(ctx, fleet.Node{Name: "n"}); err != nil {
		t.Fatal(err)
	}
	taken := make(chan fleet.Delivery)
	go func() {
		d, err := q.Take(ctx, fleet.Node{Name: "m"})
		if err != nil {
			t.Error(err)
		}
		taken <- d
	}()
	if d := <-asked; d != fleet.Patience {
		t.Errorf("it waits for %v, want %v", d, fleet.Patience)
	}
	now.Pass(fleet.Patience)
	due <- now.Now()
	if d := <-taken; d.Entry().ID != "a" {
		t.Errorf("took %+v", d.Entry())
	}
}
