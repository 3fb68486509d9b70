package engine

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"chant/engine/store/local"
	"chant/gitops/lockfile"
)

// pollEvery is how often a run checks whether it was asked to stop.
const pollEvery = 50 * time.Millisecond

// stopRequest is a request in a file for the process that holds a lock. It names that process, so that a late request
// is ignored, and its time, so that a second request differs from the first.
type stopRequest struct {
	lockfile.Holder
	Asked time.Time `json:"asked"`
	Now   bool      `json:"now,omitempty"` // running specs are paused, too
}

// stopPath is the file of requests to the holder of a lock.
func stopPath(p *Project, name string) (string, error) {
	return p.Store.Local(local.Locks, name+".stop")
}

// RequestStop asks the process that holds a lock to stop, and with now to stop at once.
func RequestStop(p *Project, name string, holder lockfile.Holder, now bool) error {
	path, err := stopPath(p, name)
	if err != nil {
		return err
	}
	text, err := json.Marshal(stopRequest{Holder: holder, Asked: p.Now(), Now: now})
	if err != nil {
		return err
	}
	// The file names its receiver, so a request that arrives too late is ignored by the next holder.
	return os.WriteFile(path, text, 0o644)
}

// WithdrawStop removes a request, if it still exists.
func WithdrawStop(p *Project, name string) error {
	path, err := stopPath(p, name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// StopHolder asks the process that holds a run to stop, and waits until it has released
// the lock.
func StopHolder(ctx context.Context, p *Project, id string, holder lockfile.Holder) (err error) {
	if err := RequestStop(p, id, holder, true); err != nil {
		return err
	}
	// A request that was not read would stop nobody, but would stay as a file.
	defer func() { err = errors.Join(err, WithdrawStop(p, id)) }()
	tick := time.NewTicker(LookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			// Another holder may have taken the lock at once: the one that was asked has released it either way.
			if now, held := p.Store.Holder(id); !held || !sameHolder(now, holder) {
				return nil
			}
		}
	}
}

// RunStoppable calls do with a context that is also cancelled when this process is asked to stop the run it holds.
func RunStoppable(ctx context.Context, p *Project, h *Held, do func(context.Context) error) error {
	path, err := stopPath(p, h.ID)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		awaitRequests(ctx, path, h.lock.Holder(), pollEvery, func(stopRequest) bool { cancel(); return true })
	}()
	err = do(ctx)
	// The goroutine ends before this function does, so that it never cancels the next run.
	cancel()
	<-ended
	return err
}

// AwaitStopRequests calls heed for each request to the holder of a lock, until ctx ends or heed returns true. With now
// the request is to stop at once.
func AwaitStopRequests(ctx context.Context, p *Project, name string, us lockfile.Holder, heed func(now bool) (enough bool)) error {
	path, err := stopPath(p, name)
	if err != nil {
		return err
	}
	awaitRequests(ctx, path, us, LookEvery, func(r stopRequest) bool { return heed(r.Now) })
	return nil
}

// awaitRequests polls for requests to us, until heed returns true or ctx ends.
func awaitRequests(ctx context.Context, path string, us lockfile.Holder, every time.Duration, heed func(stopRequest) bool) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	var last time.Time
	for {
		// The file stays until it is withdrawn, so a request is recognised by its time.
		if r, asked := readRequest(path, us); asked && !r.Asked.Equal(last) {
			if last = r.Asked; heed(r) {
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// readRequest reads the request at a path, if it is for us. A half-written one is read the next time.
func readRequest(path string, us lockfile.Holder) (stopRequest, bool) {
	src, err := os.ReadFile(path)
	if err != nil {
		return stopRequest{}, false
	}
	var request stopRequest
	// A request that is half written is read whole the next time.
	if json.Unmarshal(src, &request) != nil {
		return stopRequest{}, false
	}
	return request, sameHolder(request.Holder, us)
}

func sameHolder(a, b lockfile.Holder) bool {
	return a.PID == b.PID && a.Started == b.Started && a.Since.Equal(b.Since)
}

// AddStopRequests adds requests to the holder of a lock to the interrupts of the project: a request counts like a Ctrl-C,
// and a request to stop at once cancels the context. release stops listening.
func AddStopRequests(ctx context.Context, p *Project, name string, lock *lockfile.Lock) (_ context.Context, _ *Project, release func() error) {
	ctx, cancel := context.WithCancel(ctx)
	interrupts := make(chan struct{})
	interrupt := func() {
		// Without the context, a sender would wait forever for an operation that has ended.
		select {
		case interrupts <- struct{}{}:
		case <-ctx.Done():
		}
	}
	var listening sync.WaitGroup
	listening.Go(func() {
		for {
			select {
			// The two sources share one channel, so that a request counts like a Ctrl-C.
			case <-p.Interrupts:
				interrupt()
			case <-ctx.Done():
				return
			}
		}
	})
	var failed error
	listening.Go(func() {
		failed = AwaitStopRequests(ctx, p, name, lock.Holder(), func(now bool) bool {
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
		// The listeners end before the request is withdrawn: otherwise one could still read it.
		cancel()
		listening.Wait()
		return errors.Join(failed, WithdrawStop(p, name))
	}
}
