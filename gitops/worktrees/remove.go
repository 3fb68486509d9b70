package worktrees

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Remove removes a worktree and its registration, also when one of them is gone already.
func (t *Trees) Remove(ctx context.Context, path string, force bool) error {
	known, err := t.Registered(ctx, path)
	if err != nil {
		return err
	}
	if known == nil {
		if gone(path) {
			return nil
		}
		return fmt.Errorf("%q is not a worktree of %q and stays: %w", path, t.Site.Home, layout.ErrNotRepository)
	}
	// Git refuses a folder without its ".git" file; with nothing in it, nothing is lost.
	if err := removeEmpty(known.Path); err != nil {
		return err
	}
	return t.unregister(ctx, known.Path, force)
}

func (t *Trees) unregister(ctx context.Context, path string, force bool) error {
	args := []string{"worktree", "remove"}
	if force {
		args = append(args, "-f", "-f")
	}
	_, err := t.Git.Retry(ctx, gitexec.Call{Dir: t.Site.Home, Args: append(args, "--", path), Limit: gitexec.LongLimit})
	return err
}

// Prune forgets the worktrees whose folders are gone and that are not locked.
func (t *Trees) Prune(ctx context.Context) error {
	defer t.Turns.Pruning(ctx)()
	_, err := t.Git.Retry(ctx, gitexec.Call{Dir: t.Site.Home, Args: []string{"worktree", "prune"}})
	return err
}

func gone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// removeEmpty removes path if it is an empty folder.
func removeEmpty(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) > 0 {
		return nil // gone, or not empty: for git to judge
	}
	return os.Remove(path)
}
