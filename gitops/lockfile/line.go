package lockfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/gitops/layout"
)

// linePoll is how often a process in a line checks whether those in front are done.
const linePoll = 10 * time.Millisecond

// LineUp waits until everyone, of this process or of others, has left the line at dir
// who was in it before, and returns the place at its head: first come, first served. A
// place is a lock of its own, which ends with its process.
// The error is the context's, or what the file system said. dir is made where missing and
// holds nothing else.
func LineUp(ctx context.Context, dir, what string) (*Lock, error) {
	place, err := takePlace(ctx, dir, what)
	if err != nil {
		return nil, err
	}
	if err := awaitFront(ctx, place); err != nil {
		return nil, errors.Join(err, place.Leave())
	}
	return place, nil
}

// Leave gives up a place in a line, and with it the lock.
func (l *Lock) Leave() error {
	// No other process takes it any more: the next place has a higher number. Where a file cannot go
	// while it is open, the next in line removes it.
	_ = os.Remove(l.path)
	if err := l.flock.Unlock(); err != nil {
		return fmt.Errorf("lock %q: %w", l.path, err)
	}
	return nil
}

// takePlace takes the place behind all others. The gate lets one in at a time.
func takePlace(ctx context.Context, dir, what string) (place *Lock, err error) {
	gate, err := newFlock(filepath.Join(dir, "gate.lock"))
	if err != nil {
		return nil, err
	}
	if _, err := gate.TryLockContext(ctx, linePoll); err != nil {
		return nil, fmt.Errorf("lock %q: %w", gate.Path(), err)
	}
	defer func() { err = errors.Join(err, gate.Unlock()) }()
	if err := layout.Share(gate.Path()); err != nil {
		return nil, err
	}
	places, err := placesIn(dir)
	if err != nil {
		return nil, err
	}
	last := 0
	if len(places) > 0 {
		last = places[len(places)-1]
	}
	// The place is taken behind the gate, so no other process can have this number.
	return Acquire(placePath(dir, last+1), what)
}

// awaitFront waits for those in front, one after the other.
func awaitFront(ctx context.Context, place *Lock) error {
	dir := filepath.Dir(place.path)
	places, err := placesIn(dir)
	if err != nil {
		return err
	}
	// Places taken later have higher numbers, so this list holds all that are in front.
	for _, n := range places {
		path := placePath(dir, n)
		if path == place.path {
			return nil
		}
		if err := awaitPlace(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// awaitPlace waits until the process that has a place leaves it or is dead.
func awaitPlace(ctx context.Context, path string) error {
	other, err := newFlock(path)
	if err != nil {
		return err
	}
	if _, err := other.TryLockContext(ctx, linePoll); err != nil {
		return fmt.Errorf("lock %q: %w", path, err)
	}
	// Another process behind it may have removed it already.
	_ = os.Remove(path)
	return other.Unlock()
}

// placesIn lists the places in a line, in order.
func placesIn(dir string) ([]int, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []int
	for _, entry := range entries {
		number, ok := strings.CutSuffix(entry.Name(), ".place")
		if n, err := strconv.Atoi(number); ok && err == nil {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, nil
}

func placePath(dir string, n int) string { return filepath.Join(dir, strconv.Itoa(n)+".place") }
