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
		events, lost = watcher.Events, watcher.Errors
		err = watcher.Add(dir)
	}
	every := lookEvery
	if err != nil { // the system reports nothing
		every = time.Second
	}
	out, ended := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		if watcher != nil {
			defer func() { _ = watcher.Close() }() // closing it loses nothing
		}
		for {
			select {
			case <-ctx.Done():
				return
			case <-lost:
			case <-events:
			case <-tick.C:
			}
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
	defer func() { stop(); <-done }()
	for {
		all, err := b.List(place)
		if err != nil {
			return Question{}, err
		}
		q, err := find(all, place, n)
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

// find returns a question by its number.
func find(all []Question, place Place, n int) (Question, error) {
	for _, q := range all {
		if q.Number == n {
			return q, nil
		}
	}
	return Question{}, &Error{Kind: None, Of: string(place), Number: n}
}
