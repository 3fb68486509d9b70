package store

import (
	"context"
	"path/filepath"
	"time"

	"chant/engine/local"

	"github.com/fsnotify/fsnotify"
)

// Changes signals, until ctx is done, that specs or branches may have changed: when
// the system reports it, and after every interval, as no system reports changes of
// all file systems. Changes between two receives result in one signal. The error says
// why the system reports nothing; the interval still works.
func (s *Store) Changes(ctx context.Context, interval time.Duration) (<-chan struct{}, error) {
	changed := make(chan struct{}, 1)
	watcher, err := fsnotify.NewWatcher()
	if err == nil {
		err = s.watchFolders(watcher)
	}
	go func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		var events chan fsnotify.Event
		var errors chan error
		if watcher != nil {
			events, errors = watcher.Events, watcher.Errors
			defer func() { _ = watcher.Close() }() // closing it loses nothing
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
			case changed <- struct{}{}:
			default:
			}
		}
	}()
	return changed, err
}

// watchFolders watches the folders in which specs and branches change.
func (s *Store) watchFolders(watcher *fsnotify.Watcher) error {
	asked, err := s.Local(local.Questions, "") // an answer lets a failed spec start again
	if err != nil {
		return err
	}
	for _, dir := range []string{
		asked,
		filepath.Join(s.home, filepath.FromSlash(SpecsDir)),
		filepath.Join(s.repo.CommonDir(), "refs", "heads"),
	} {
		if err := watcher.Add(dir); err != nil {
			return err
		}
	}
	return nil
}
