package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chant/engine/store/local"

	"github.com/fsnotify/fsnotify"
)

// Changes signals, until ctx is done, that specs or branches may have changed: when
// the system reports it, and after every interval, as no system reports changes of
// all file systems. Changes between two receives result in one signal. The error says
// why the system reports nothing; the interval still works.
func (s *Store) Changes(ctx context.Context, interval time.Duration) (<-chan struct{}, error) {
	// Answers to questions are watched because one lets a failed spec start again.
	return signal(ctx, s, interval, []local.Kind{local.Questions}, specsDir(s), branchesDir(s))
}

// ViewChanges is Changes for those who also look at runs: it signals changes of journals and locks, and of the branches
// of runs.
func (s *Store) ViewChanges(ctx context.Context, interval time.Duration) (<-chan struct{}, error) {
	dirs := []string{specsDir(s), branchesDir(s)}
	// fsnotify does not watch below a folder, and branches such as chant/ID lie in one of their own.
	if runs := filepath.Join(branchesDir(s), filepath.FromSlash(strings.TrimSuffix(s.Branch(""), "/"))); exists(runs) {
		dirs = append(dirs, runs)
	}
	return signal(ctx, s, interval, []local.Kind{local.Questions, local.Runs, local.Locks}, dirs...)
}

// LogChanges is Changes for the logs of agents.
func (s *Store) LogChanges(ctx context.Context, interval time.Duration) (<-chan struct{}, error) {
	return signal(ctx, s, interval, []local.Kind{local.Logs})
}

func specsDir(s *Store) string    { return filepath.Join(s.home, filepath.FromSlash(SpecsDir)) }
func branchesDir(s *Store) string { return filepath.Join(s.repo.CommonDir(), "refs", "heads") }

// signal signals changes in folders of local files and in other folders.
func signal(ctx context.Context, s *Store, interval time.Duration, kinds []local.Kind, dirs ...string) (<-chan struct{}, error) {
	// A buffer of one holds a signal that the receiver has not taken; more would only repeat it.
	changed := make(chan struct{}, 1)
	watcher, err := fsnotify.NewWatcher()
	if err == nil {
		err = s.watchFolders(watcher, kinds, dirs)
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
			// An error means that events were lost, so anything may have changed.
			case <-errors:
			case <-events:
			case <-tick.C:
			}
			// The default drops a signal while one is pending: the receiver reads everything anew anyway.
			select {
			case changed <- struct{}{}:
			default:
			}
		}
	}()
	return changed, err
}

// watchFolders watches folders of local files, which it makes, and other folders.
func (s *Store) watchFolders(watcher *fsnotify.Watcher, kinds []local.Kind, dirs []string) error {
	for _, kind := range kinds {
		dir, err := s.Local(kind, "")
		if err != nil {
			return err
		}
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		if err := watcher.Add(dir); err != nil {
			return err
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
