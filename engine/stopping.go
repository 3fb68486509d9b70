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

// stopPath is where the wish that a run may stop is left. It names the process that
// is meant, so that one that came too late means nobody.
func stopPath(p *Project, id string) (string, error) {
	return p.Store.Local(store.Locks, id+".stop")
}

// AskToStop leaves the wish for the process that holds a run, and waits until it has
// let go.
func AskToStop(ctx context.Context, p *Project, id string, holder lockfile.Holder) (err error) {
	path, err := stopPath(p, id)
	if err != nil {
		return err
	}
	wish, err := json.Marshal(holder)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, wish, 0o644); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, withdraw(path)) }()
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

// Obeying does something under a context that ends, too, when somebody asks this
// process to stop the run it holds.
func Obeying(ctx context.Context, p *Project, h *Held, do func(context.Context) error) error {
	path, err := stopPath(p, h.ID)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer cancel()
		awaitWish(ctx, path, h.lock.Holder())
	}()
	err = do(ctx)
	cancel()
	<-ended
	return err
}

// awaitWish returns when we are asked to stop, or ctx ends.
func awaitWish(ctx context.Context, path string, us lockfile.Holder) {
	tick := time.NewTicker(obeyEvery)
	defer tick.Stop()
	for !asked(path, us) {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// asked reports whether the wish at path means us. One that is just being written is
// read the next time.
func asked(path string, us lockfile.Holder) bool {
	src, err := os.ReadFile(path)
	var meant lockfile.Holder
	return err == nil && json.Unmarshal(src, &meant) == nil && sameHolder(meant, us)
}

func sameHolder(a, b lockfile.Holder) bool {
	return a.PID == b.PID && a.Started == b.Started && a.Since.Equal(b.Since)
}

// withdraw removes a wish, which may be gone already.
func withdraw(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
