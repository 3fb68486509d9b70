package queue

import (
	"context"
	"errors"
	"sync"

	"chant/engine"
	"chant/gitops/lockfile"
)

// handleInterrupts listens for Ctrl-C until release is called: the first closes drain,
// the second cancels.
func (c *crew) handleInterrupts(ctx context.Context, cancel context.CancelFunc) (drain <-chan struct{}, release func()) {
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

// addStopRequests adds the requests of WatchStop to the interrupts of the project: a request counts like a Ctrl-C, and
// a request to stop at once cancels the context. release stops listening.
func addStopRequests(ctx context.Context, p *engine.Project, lock *lockfile.Lock) (_ context.Context, _ *engine.Project, release func() error) {
	ctx, cancel := context.WithCancel(ctx)
	interrupts := make(chan struct{})
	interrupt := func() {
		select {
		case interrupts <- struct{}{}:
		case <-ctx.Done():
		}
	}
	var listening sync.WaitGroup
	listening.Go(func() {
		for {
			select {
			case <-p.Interrupts:
				interrupt()
			case <-ctx.Done():
				return
			}
		}
	})
	var failed error
	listening.Go(func() {
		failed = engine.AwaitStopRequests(ctx, p, watchName, lock.Holder(), func(now bool) bool {
			if now {
				cancel()
			} else {
				interrupt()
			}
			return now
		})
	})
	own := *p
	own.Interrupts = interrupts
	return ctx, &own, func() error {
		cancel()
		listening.Wait()
		return errors.Join(failed, engine.WithdrawStop(p, watchName))
	}
}
