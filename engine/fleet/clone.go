package fleet

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chant/gitops"
)

// ownKey marks a clone that chant has made, in its git configuration.
const ownKey = "chant.fleetclone"

// MarkOwnClone marks a clone as made by chant, so that Repair may bring its checkout in order.
func MarkOwnClone(ctx context.Context, repo *gitops.Repo) error {
	return repo.SetConfig(ctx, ownKey, "true")
}

// isOwn reports whether chant has made the clone.
func (r *Remote) isOwn(ctx context.Context) (bool, error) {
	own, err := r.Repo.Config(ctx, ownKey)
	return own == "true", err
}

// RetryLocked calls do, and once more if it failed because of a lock that git has waited for in vain. It does so only where
// chant has made the clone: there the lock is what a killed git process has left. It is removed then, and warn is called.
func (r *Remote) RetryLocked(ctx context.Context, warn func(message string), do func(context.Context) error) error {
	err := do(ctx)
	removed, lockErr := r.unlock(ctx, err)
	if lockErr != nil {
		return errors.Join(err, lockErr)
	}
	if !removed {
		return err
	}
	warn("a lock that a killed process has left was removed: " + err.Error())
	return do(ctx)
}

// unlock removes the lock because of which a git command has failed, and reports whether there was one.
func (r *Remote) unlock(ctx context.Context, err error) (bool, error) {
	failed, ok := errors.AsType[*gitops.GitError](err)
	if !ok {
		return false, nil
	}
	lock := failed.LockFile()
	if lock == "" {
		return false, nil
	}
	if own, err := r.isOwn(ctx); err != nil || !own {
		return false, err
	}
	if !filepath.IsAbs(lock) {
		lock = filepath.Join(failed.Dir, lock)
	}
	// The lock belongs to another repository.
	if in, err := filepath.Rel(r.Repo.CommonDir(), lock); err != nil || in == ".." || strings.HasPrefix(in, ".."+string(filepath.Separator)) {
		return false, nil // another repository's
	}
	if err := os.Remove(lock); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return true, nil
}

// lockAge is how old a lock file is that no git process holds any more, as it holds each for moments. One from the future
// is of a time when the clock was off.
const lockAge = 10 * time.Second

// DropLocks removes what killed git processes have left of lock files in a clone that chant has made, also in the folders
// of worktrees, and returns their paths. now is the time by which files are dated.
func (r *Remote) DropLocks(ctx context.Context, now time.Time) (removed []string, err error) {
	if own, err := r.isOwn(ctx); err != nil || !own {
		return nil, err
	}
	top := r.Repo.CommonDir()
	err = filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			// It was removed meanwhile.
			return nil
		case err != nil:
			return err
		// Git takes no locks there, and chant's locks are held by chant.
		case entry.IsDir() && (path == filepath.Join(top, "objects") || path == filepath.Join(top, "chant")):
			return fs.SkipDir
		case !entry.Type().IsRegular() || !strings.HasSuffix(path, ".lock"):
			return nil
		}
		info, err := entry.Info()
		// A lock from the future is of a time when the clock was off.
		if err != nil || now.Sub(info.ModTime()).Abs() < lockAge {
			return nil //nolint:nilerr // removed meanwhile
		}
		removed = append(removed, path)
		return os.Remove(path)
	})
	return removed, err
}

// Repair makes the checkout of a clone what a commit is, after a process that was killed in the middle of bringing it
// there. It does so only where chant has made the clone, and reports whether it did.
func (r *Remote) Repair(ctx context.Context, commit string) (bool, error) {
	own, err := r.isOwn(ctx)
	if err != nil || !own {
		return false, err
	}
	return true, r.Repo.ResetTo(ctx, commit)
}

// Pack has git collect garbage in a clone that chant has made: nothing else does, and each spec leaves some dozens of small
// files there.
func (r *Remote) Pack(ctx context.Context) error {
	own, err := r.isOwn(ctx)
	// Another slot packs the same clone already.
	if err != nil || !own || !r.packing.TryLock() {
		return err
	}
	defer r.packing.Unlock()
	return r.Repo.CollectGarbage(ctx)
}

// PackEvery is after how many specs Pack is worth its time.
const PackEvery = 20
