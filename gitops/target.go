package gitops

import (
	"context"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// target is what a commit moves: a ref, or with "HEAD" the detached head of a worktree.
type target struct {
	place
	ref string
}

func (r *Repo) target(ctx context.Context, o CommitOptions) (target, error) {
	p, err := r.place(o.Dir)
	if err != nil {
		return target{}, err
	}
	branch := o.Branch
	if branch == "" {
		head, err := r.headOf(ctx, p)
		if err != nil {
			return target{}, err
		}
		if head.Branch == "" {
			return target{place: p, ref: "HEAD"}, nil
		}
		branch = head.Branch
	}
	if err := validBranch(branch); err != nil {
		return target{}, err
	}
	return target{place: p, ref: heads + branch}, nil
}

// queue lets the writers of this package commit one after the other, across processes, so
// that they do not spend their attempts on each other. It is a courtesy: the ref's own
// compare-and-swap keeps commits safe, so without the lock the commit goes on.
func (r *Repo) queue(ctx context.Context) (leave func()) {
	r.turn.Lock()
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	lock := flock.New(filepath.Join(r.common, "chant.lock"))
	_, _ = lock.TryLockContext(limited, 3*time.Millisecond)
	return func() {
		_ = lock.Unlock()
		r.turn.Unlock()
	}
}
