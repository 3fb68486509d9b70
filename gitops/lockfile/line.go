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

	"chant/gitops/layout"
)

// Place is a place in a line of processes: a lock of its own, which ends with its process. Later places have higher numbers.
type Place struct {
	*Lock
	Number int
}

// TakePlace takes the place behind all others in the line at dir. dir is made where missing. The error is the context's, or
// what the file system said.
func TakePlace(ctx context.Context, dir string, purpose Purpose) (place *Place, err error) {
	gate, err := newFlock(filepath.Join(dir, "gate.lock"))
	if err != nil {
		return nil, err
	}
	if _, err := gate.TryLockContext(ctx, lockPoll); err != nil {
		return nil, fmt.Errorf("lock %q: %w", gate.Path(), err)
	}
	defer func() { err = errors.Join(err, gate.Unlock()) }()
	if err := layout.Share(gate.Path()); err != nil {
		return nil, err
	}
	places, err := Places(dir)
	if err != nil {
		return nil, err
	}
	last := 0
	if len(places) > 0 {
		last = places[len(places)-1]
	}
	// The place is taken behind the gate, so no other process can have this number.
	lock, err := AcquireFor(placePath(dir, last+1), purpose)
	if err != nil {
		return nil, err
	}
	return &Place{lock, last + 1}, nil
}

// Leave gives up the place.
func (p *Place) Leave() error {
	// No other process takes it any more: the next place has a higher number. Where a file cannot go while it is open, one
	// that comes later sweeps it.
	_ = os.Remove(p.path)
	if err := p.flock.Unlock(); err != nil {
		return fmt.Errorf("lock %q: %w", p.path, err)
	}
	return nil
}

// Places lists the places in the line at dir, in order, also those of processes that died. Without the folder there are none.
func Places(dir string) ([]int, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
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

// Taken reports whether a live process has a place in the line at dir.
func Taken(dir string, number int) bool {
	_, taken := HeldBy(placePath(dir, number))
	return taken
}

// SweepPlace removes what a process that died has left of its place. Only who has a later place may ask: an earlier one was
// locked before that was taken, so it cannot be one that is just being taken.
func SweepPlace(dir string, number int) {
	// If it cannot be removed, the next one tries again.
	_ = os.Remove(placePath(dir, number))
}

func placePath(dir string, n int) string { return filepath.Join(dir, strconv.Itoa(n)+".place") }
