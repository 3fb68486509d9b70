package queue

import (
	"context"

	"chant/engine"
)

// handleInterrupts listens for Ctrl-C until release is called: the first closes drain,
// the second cancels.
func (c *pool) handleInterrupts(ctx context.Context, cancel context.CancelFunc) (drain <-chan struct{}, release func()) {
	drained, done, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for first := true; ; first = false {
			select {
			case <-c.p.Interrupts:
			case <-ctx.Done():
				return
			case <-done:
				return
			}
			// The second one: the person does not want to wait for what runs.
			if !first {
				cancel()
				return
			}
			close(drained)
			engine.Warn(c.p, "", "nothing more starts; what runs continues to its end. Ctrl-C again stops it")
		}
	}()
	return drained, func() { close(done); <-gone }
}
