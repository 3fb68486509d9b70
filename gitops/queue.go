package gitops

import (
	"context"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// turnLimit is how long a turn is waited for. The turns are a courtesy between the
// processes that use this package: refs are safe by their compare-and-swap, worktrees by
// another try, so without the lock the work goes on.
const turnLimit = 10 * time.Second

const turnPoll = 3 * time.Millisecond

// queue lets the writers of this package commit one after the other, across processes, so
// that they do not spend their attempts on each other.
func (r *Repo) queue(ctx context.Context) (leave func()) {
	r.turn.Lock()
	lock := flock.New(filepath.Join(r.common, "chant.lock"))
	unlock := await(ctx, lock, lock.TryLockContext)
	return func() {
		unlock()
		r.turn.Unlock()
	}
}

// adding keeps prunes out while a worktree is added, as half of one looks like none. Any
// number can be added at a time.
func (r *Repo) adding(ctx context.Context) (leave func()) {
	lock := r.worktreeLock()
	return await(ctx, lock, lock.TryRLockContext)
}

// pruning keeps out everyone who adds a worktree or prunes.
func (r *Repo) pruning(ctx context.Context) (leave func()) {
	lock := r.worktreeLock()
	return await(ctx, lock, lock.TryLockContext)
}

func (r *Repo) worktreeLock() *flock.Flock {
	return flock.New(filepath.Join(r.common, "chant-worktrees.lock"))
}

// await takes a lock within turnLimit, or does without.
func await(ctx context.Context, lock *flock.Flock, try func(context.Context, time.Duration) (bool, error)) (leave func()) {
	limited, cancel := context.WithTimeout(ctx, turnLimit)
	defer cancel()
	_, _ = try(limited, turnPoll)
	return func() { _ = lock.Unlock() }
}
