package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"chant/engine/store"
	"chant/gitops"
)

// errPaused is why a single run of many is stopped.
var errPaused = errors.New("paused")

// heedInterrupts listens for Ctrl-C until release: the first closes drain, the
// second cancels. One that came because somebody asked for single runs to stop
// stops those.
func (c *crew) heedInterrupts(ctx context.Context, cancel context.CancelFunc) (drain <-chan struct{}, release func()) {
	drained, done, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		first := true
		for {
			select {
			case <-c.engine.Interrupts:
			case <-ctx.Done():
				return
			case <-done:
				return
			}
			switch {
			case c.stopAsked():
			case first:
				first = false
				close(drained)
				c.engine.warn("", "nothing more starts; what runs goes on to its end. Ctrl-C once more stops it")
			default:
				cancel()
				return
			}
		}
	}()
	return drained, func() { close(done); <-gone }
}

// stopAsked stops the runs of this process that somebody has asked to stop.
func (c *crew) stopAsked() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := false
	for id, stop := range c.stops {
		if c.engine.asked(id) {
			stop(errPaused)
			found = true
		}
	}
	return found
}

// askedPath is the mark that asks for the run of one spec to stop, in a process that
// has many. It stands beside the run's lock and names its holder, so that one which
// was left behind means nothing to the next.
func (e *Engine) askedPath(id string) (string, error) { return e.store.Local(store.Locks, id+".stop") }

// ask leaves the mark.
func (e *Engine) ask(id string, holder gitops.Holder) error {
	path, err := e.askedPath(id)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(markOf(holder)), 0o644)
}

func markOf(h gitops.Holder) string { return fmt.Sprintf("%d %d", h.PID, h.Since.UnixNano()) }

// asked reports whether whoever holds the run's lock now was asked to stop it.
func (e *Engine) asked(id string) bool {
	path, err := e.askedPath(id)
	if err != nil {
		return false
	}
	mark, err := os.ReadFile(path)
	holder, held := gitops.HeldBy(e.store.LockPath(id))
	return err == nil && held && string(mark) == markOf(holder)
}

// forget removes the mark.
func (e *Engine) forget(id string) error {
	path, err := e.askedPath(id)
	if err == nil {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
