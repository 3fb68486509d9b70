// Package memory is a queue in one process, for tests: entries wait in memory, and nothing is opened or stored. Where there
// is no fleet, engine/schedule decides what starts next.
//
// # Rules
//
//   - Entries are delivered in the order in which they were offered; an entry that was put back keeps its place.
//   - An entry without a heartbeat for the patience of the queue is delivered again. This is noticed by whoever takes,
//     so that the queue needs no goroutine. Only a watcher has one, which ends with its context.
//   - Nothing survives the process: the queue is filled again from the specs.
package memory

import (
	"context"
	"sync"
	"time"

	"chant/engine/fleet"
)

// Options are the settings of a queue. The zero value is for everyday use.
type Options struct {
	Patience time.Duration                        // default: fleet.Patience
	Now      func() time.Time                     // default: time.Now
	After    func(time.Duration) <-chan time.Time // default: time.After
}

// Queue is a queue in this process. New creates one.
type Queue struct {
	patience time.Duration
	now      func() time.Time
	after    func(time.Duration) <-chan time.Time

	mu       sync.Mutex
	items    []*item // in the order in which they were offered
	changed  chan struct{}
	watchers map[*watcher]bool
}

// item is an entry in the queue, and its state.
type item struct {
	entry      fleet.Entry
	deliveries int // so far; the last one is the current one
	taken      bool
	until      time.Time // taken: when it counts as lost; else when it may be taken, zero = now
}

// New creates an empty queue.
func New(o Options) *Queue {
	q := &Queue{patience: o.Patience, now: o.Now, after: o.After, changed: make(chan struct{}), watchers: map[*watcher]bool{}}
	if q.patience == 0 {
		q.patience = fleet.Patience
	}
	if q.now == nil {
		q.now = time.Now
	}
	if q.after == nil {
		q.after = time.After
	}
	return q
}

var _ fleet.Queue = (*Queue)(nil)

// Offer puts an entry at the end of the queue, unless its spec is in the queue.
func (q *Queue) Offer(ctx context.Context, e fleet.Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, it := range q.items {
		if it.entry.ID == e.ID {
			return nil
		}
	}
	q.items = append(q.items, &item{entry: e})
	q.wake()
	q.report(fleet.Change{Kind: fleet.Offered, ID: e.ID})
	return nil
}

// Take waits for the oldest entry that the node can work, and takes it.
func (q *Queue) Take(ctx context.Context, by fleet.Node) (fleet.Delivery, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, changed, wait := q.tryTake(by)
		if d != nil {
			return d, nil
		}
		var due <-chan time.Time
		if wait > 0 {
			due = q.after(wait)
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-due:
		}
	}
}

// tryTake takes an entry if there is one. Otherwise it returns what to wait for: a change, or a time, 0 = only a
// change.
func (q *Queue) tryTake(by fleet.Node) (d *delivery, changed <-chan struct{}, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	for _, it := range q.items {
		if !by.CanWork(it.entry.Needs) {
			continue
		}
		if left := it.until.Sub(now); left > 0 {
			if wait == 0 || left < wait {
				wait = left
			}
			continue
		}
		it.deliveries++
		it.taken, it.until = true, now.Add(q.patience)
		q.report(fleet.Change{Kind: fleet.Taken, ID: it.entry.ID, Node: by.Name})
		return &delivery{queue: q, item: it, number: it.deliveries, node: by.Name}, nil, 0
	}
	return nil, q.changed, wait
}

// wake makes everyone who waits look again. The queue is locked.
func (q *Queue) wake() {
	close(q.changed)
	q.changed = make(chan struct{})
}
