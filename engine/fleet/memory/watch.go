package memory

import (
	"context"

	"chant/engine/fleet"
)

// watcher has the changes that its reader has not received yet.
type watcher struct {
	pending []fleet.Change
	more    chan struct{} // capacity 1: pending is not empty
}

// Watch reports every change from now on, in order, until the context ends.
func (q *Queue) Watch(ctx context.Context) (<-chan fleet.Change, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := &watcher{more: make(chan struct{}, 1)}
	q.mu.Lock()
	q.watchers[w] = true
	q.mu.Unlock()
	out := make(chan fleet.Change)
	go func() {
		defer close(out)
		defer func() {
			q.mu.Lock()
			delete(q.watchers, w)
			q.mu.Unlock()
		}()
		for {
			select {
			case <-ctx.Done():
				return
			case <-w.more:
			}
			q.mu.Lock()
			changes := w.pending
			w.pending = nil
			q.mu.Unlock()
			for _, c := range changes {
				select {
				case <-ctx.Done():
					return
				case out <- c:
				}
			}
		}
	}()
	return out, nil
}

// report hands a change to the watchers and never waits for them. The queue is locked.
func (q *Queue) report(c fleet.Change) {
	for w := range q.watchers {
		w.pending = append(w.pending, c)
		select {
		case w.more <- struct{}{}:
		default:
		}
	}
}
