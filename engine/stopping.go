package engine

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"chant/engine/store"
	"chant/gitops/lockfile"
)

// obeyEvery is how often a run looks whether it was asked to stop.
const obeyEvery = 50 * time.Millisecond

// wish is what is left for the process that holds a lock. It names that process, so that one that came too late is for
// no one, and when it was left, so that a second one differs from the first.
type wish struct {
	lockfile.Holder
	Asked time.Time `json:"asked"`
	Now   bool      `json:"now,omitempty"` // what runs is paused, too
}

// stopPath is where the wish is left that the holder of a lock may stop.
func stopPath(p *Project, name string) (string, error) {
	return p.Store.Local(store.Locks, name+".stop")
}

// LeaveWish asks the process that holds a lock to stop what it does under it, and with now to stop at once.
func LeaveWish(p *Project, name string, holder lockfile.Holder, now bool) error {
	path, err := stopPath(p, name)
	if err != nil {
		return err
	}
	text, err := json.Marshal(wish{Holder: holder, Asked: p.Now(), Now: now})
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// WithdrawWish removes the wish, which may be gone already.
func WithdrawWish(p *Project, name string) error {
	path, err := stopPath(p, name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// AskToStop leaves the wish for the process that holds a run, and waits until it
// has let go.
func AskToStop(ctx context.Context, p *Project, id string, holder lockfile.Holder) (err error) {
	if err := LeaveWish(p, id, holder, true); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, WithdrawWish(p, id)) }()
	tick := time.NewTicker(LookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if now, held := p.Store.Holder(id); !held || !sameHolder(now, holder) {
				return nil
			}
		}
	}
}

// Obeying does something under a context that is also cancelled when this process is asked to stop the run it holds.
func Obeying(ctx context.Context, p *Project, h *Held, do func(context.Context) error) error {
	path, err := stopPath(p, h.ID)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		awaitWish(ctx, path, h.lock.Holder(), obeyEvery, func(wish) bool { cancel(); return true })
	}()
	err = do(ctx)
	cancel()
	<-ended
	return err
}

// AwaitWishes calls heed for each wish that the holder of a lock may stop, until ctx ends or heed returns true. now asks
// for a stop at once.
func AwaitWishes(ctx context.Context, p *Project, name string, us lockfile.Holder, heed func(now bool) (enough bool)) error {
	path, err := stopPath(p, name)
	if err != nil {
		return err
	}
	awaitWish(ctx, path, us, LookEvery, func(w wish) bool { return heed(w.Now) })
	return nil
}

// awaitWish looks for wishes that mean us, and returns when heed has had enough of them or ctx ends.
func awaitWish(ctx context.Context, path string, us lockfile.Holder, every time.Duration, heed func(wish) bool) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	var last time.Time
	for {
		if w, asked := readWish(path, us); asked && !w.Asked.Equal(last) {
			if last = w.Asked; heed(w) {
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

// readWish reads the wish at path, if it means us. One that is just being written is read the next time.
func readWish(path string, us lockfile.Holder) (wish, bool) {
	src, err := os.ReadFile(path)
	if err != nil {
		return wish{}, false
	}
	var meant wish
	if json.Unmarshal(src, &meant) != nil {
		return wish{}, false
	}
	return meant, sameHolder(meant.Holder, us)
}

func sameHolder(a, b lockfile.Holder) bool {
	return a.PID == b.PID && a.Started == b.Started && a.Since.Equal(b.Since)
}
