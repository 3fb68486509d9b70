package store

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Changes tells, until ctx is done, that specs or branches may have changed: when
// the system says so, and every interval in any case, for no system says it of
// every file system. What comes while no one listens is told once. The error says
// why the system does not; the interval then has to do.
func (s *Store) Changes(ctx context.Context, interval time.Duration) (<-chan struct{}, error) {
	told := make(chan struct{}, 1)
	watcher, err := fsnotify.NewWatcher()
	if err == nil {
		err = s.observe(watcher)
	}
	go func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		var events chan fsnotify.Event
		var errors chan error
		if watcher != nil {
			events, errors = watcher.Events, watcher.Errors
			defer func() { _ = watcher.Close() }() // nothing is kept in it
		}
		for {
			select {
			case <-ctx.Done():
				return
			case <-errors: // events were lost
			case <-events:
			case <-tick.C:
			}
			select {
			case told <- struct{}{}:
			default:
			}
		}
	}()
	return told, err
}

// observe names the folders in which a change of a spec or of the target shows.
func (s *Store) observe(watcher *fsnotify.Watcher) error {
	for _, dir := range []string{
		filepath.Join(s.home, filepath.FromSlash(SpecsDir)),
		filepath.Join(s.repo.CommonDir(), "refs", "heads"),
	} {
		if err := watcher.Add(dir); err != nil {
			return err
		}
	}
	return nil
}
