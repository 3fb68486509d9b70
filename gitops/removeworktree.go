package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"chant/gitops/gitexec"
)

// RemoveWorktree removes a worktree and its registration, also when one of them is gone
// already. Without force git refuses one that is locked or holds work; a folder that is
// not registered is left alone, with an error.
func (r *Repo) RemoveWorktree(ctx context.Context, path string, force bool) error {
	known, err := r.registered(ctx, path)
	if err != nil {
		return err
	}
	if known == nil {
		if gone(path) {
			return nil
		}
		return fmt.Errorf("%q is not a worktree of %q and stays: %w", path, r.site.Home, ErrNotRepository)
	}
	// Git refuses a folder without its ".git" file; with nothing in it, nothing is lost.
	if err := removeEmpty(known.Path); err != nil {
		return err
	}
	return r.unregister(ctx, known.Path, force)
}

func (r *Repo) unregister(ctx context.Context, path string, force bool) error {
	args := []string{"worktree", "remove"}
	if force {
		args = append(args, "-f", "-f")
	}
	_, err := r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Args: append(args, "--", path), Limit: gitexec.LongLimit})
	return err
}

// PruneWorktrees forgets the worktrees whose folders are gone and that are not locked. It
// takes turns with AddWorktree and AddDetached, also those of other processes.
func (r *Repo) PruneWorktrees(ctx context.Context) error {
	defer r.turns.Pruning(ctx)()
	_, err := r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"worktree", "prune"}})
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
