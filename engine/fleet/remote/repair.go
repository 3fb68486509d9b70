package remote

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops"
)

// ownKey marks a clone that chant has made, in its git configuration.
const ownKey = "chant.fleetclone"

// MarkOwn marks a clone as made by chant, so that Repair may bring its checkout in order.
func MarkOwn(ctx context.Context, repo *gitops.Repo) error {
	return repo.SetConfig(ctx, ownKey, "true")
}

// Unlock removes the lock because of which a git command has failed, and reports whether it did. git has waited for it
// to go. It does so only where chant has made the clone: there it is what a killed git process has left.
func (r *Remote) Unlock(ctx context.Context, err error) (bool, error) {
	if own, ownErr := r.Repo.Config(ctx, ownKey); ownErr != nil || own != "true" {
		return false, ownErr
	}
	failed, ok := errors.AsType[*gitops.GitError](err)
	if !ok {
		return false, nil
	}
	lock := failed.LockFile()
	if lock == "" {
		return false, nil
	}
	if !filepath.IsAbs(lock) {
		lock = filepath.Join(failed.Dir, lock)
	}
	if in, err := filepath.Rel(r.Repo.CommonDir(), lock); err != nil || in == ".." || strings.HasPrefix(in, ".."+string(filepath.Separator)) {
		return false, nil // another repository's
	}
	return true, os.Remove(lock)
}

// Repair makes the checkout of a clone what a commit is, after a process that was killed in the middle of bringing it
// there. It does so only where chant has made the clone, and reports whether it did.
func (r *Remote) Repair(ctx context.Context, commit string) (bool, error) {
	own, err := r.Repo.Config(ctx, ownKey)
	if err != nil || own != "true" {
		return false, err
	}
	return true, gitops.ResetTo(ctx, r.Repo, commit)
}
