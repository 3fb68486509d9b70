package question

import (
	"context"
	"time"

	"chant/engine/store/local"

	"github.com/fsnotify/fsnotify"
)

// lookEvery is how often a change is assumed without a notification: no system reports the changes of all file systems.
const lookEvery = 5 * time.Second

// Changes signals, until ctx is done, that questions may have changed. Changes between two receives result in one
// signal. done is closed when nothing runs for it anymore. The error says that the folder cannot be made.
func (b Box) Changes(ctx context.Context) (changed <-chan struct{}, done <-chan struct{}, err error) {
	dir, err := b.files.Local(local.Questions, "")
	if err != nil {
		return nil, nil, err
	}
	var events chan fsnotify.Event
	var lost chan error
	watcher, err := fsnotify.NewWatcher()
	if err == nil {
		// Channels of a watcher that does not exist stay nil, and nil channels never receive.
		events, lost = watcher.Events, watcher.Errors
		err = watcher.Add(dir)
	}
	every := lookEvery
	// The system reports nothing.
	if err != nil {
		every = time.Second
	}
	out, ended := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		if watcher != nil {
			// Closing it loses nothing.
			defer func() { _ = watcher.Close() }()
		}
		for {
			select {
			case <-ctx.Done():
				return
			// After a lost event something may have changed, too.
			case <-lost:
			case <-events:
			case <-tick.C:
			}
			// One signal that was not received yet is enough.
			select {
			case out <- struct{}{}:
			default:
			}
		}
	}()
	return out, ended, nil
}

// Await waits until a question is no longer open, and returns it then. Errors: *Error of the kind None for a question
// that does not exist, the context's.
func (b Box) Await(ctx context.Context, place Place, n int) (Question, error) {
	watching, stop := context.WithCancel(ctx)
	changed, done, err := b.Changes(watching)
	if err != nil {
		stop()
		return Question{}, err
	}
	// Waits for the watcher, so that nothing of it runs when this returns.
	defer func() { stop(); <-done }()
	for {
		// After watching has begun, so that no change is missed between the two.
		all, err := b.List(place)
		if err != nil {
			return Question{}, err
		}
		q, err := findNumber(all, place, n)
		if err != nil || q.State != Open {
			return q, err
		}
		select {
		case <-ctx.Done():
			return q, ctx.Err()
		case <-changed:
		}
	}
}

// findNumber returns a question by its number.
func findNumber(all []Question, place Place, n int) (Question, error) {
	for _, q := range all {
		if q.Number == n {
			return q, nil
		}
	}
	return Question{}, &Error{Kind: None, Of: string(place), Number: n}
}
