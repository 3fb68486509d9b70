package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/rootdir"
)

// RemoveWorktree removes a worktree with all that it holds, locked or not, and its registration, also when one of them is
// isGone already. A folder that is not registered is left alone, with an error.
func (t *Trees) RemoveWorktree(ctx context.Context, path string) error {
	// A command can let a link lead from here to a worktree of the person.
	if err := refuseLink(path); err != nil {
		return err
	}
	known, err := t.Registered(ctx, path)
	if err != nil {
		return err
	}
	if known == nil {
		if isMissing(path) {
			return nil
		}
		return fmt.Errorf("%q is not a worktree of %q and stays: %w", path, t.Site.Home, layout.ErrNotRepository)
	}
	// Git refuses a folder without its ".git" file; with nothing in it, nothing is lost.
	if err := removeEmptyWorktree(known.Path); err != nil {
		return err
	}
	if t.removeWhole(*known) {
		return nil
	}
	return t.unregister(ctx, known.Path)
}

// removeWhole removes a worktree and its registration as "git worktree remove" does with force: first the files, so
// that a process that is killed leaves a worktree that can be pruned. It reports whether both are gone; what cannot be
// removed is left to git. What an agent has left in either of them does not count, such as a ".git" that leads elsewhere or a
// HEAD of a TiB, which git would read.
func (t *Trees) removeWhole(w Worktree) bool {
	admin := t.Site.Registration(w.Path)
	// A folder that was a worktree, and has no ".git" any more, stays.
	if w.Main || admin == "" || !isMissing(w.Path) && isMissing(filepath.Join(w.Path, ".git")) {
		return false
	}
	if info, err := os.Lstat(filepath.Join(w.Path, ".git")); err == nil && info.IsDir() {
		// A repository of its own has taken its place.
		return false
	}
	// The files go first, so that a process that is killed leaves a registration that can be pruned.
	if err := rootdir.Remove(w.Path); err != nil {
		return false
	}
	return removeRegistration(admin) == nil
}

func (t *Trees) unregister(ctx context.Context, path string) error {
	_, err := t.Git.Retry(ctx, gitexec.Call{Dir: t.Site.Home, Args: []string{"worktree", "remove", "-f", "-f", "--", path}, Limit: gitexec.LongLimit})
	return err
}

// ForgetWorktree removes what git keeps of the worktree that was registered at path, if nothing is there any more. What it keeps
// of other worktrees stays, also where their folders are missing: they may be on a drive that is not mounted now.
func (t *Trees) ForgetWorktree(path string) error {
	admin := t.Site.Registration(path)
	if admin == "" || !isMissing(path) {
		return nil
	}
	return removeRegistration(admin)
}

// removeRegistration removes a folder in which git keeps what is a worktree's own.
func removeRegistration(admin string) error {
	if err := rootdir.Remove(admin); err != nil {
		return err
	}
	// This fails while there are others.
	_ = os.Remove(filepath.Dir(admin))
	return nil
}

func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// refuseLink returns an error for a path that is a symbolic link: a command may have put it in the place of a worktree.
func refuseLink(path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%q is a symbolic link, not a worktree: %w", path, layout.ErrNotRepository)
	}
	return nil
}

// removeEmptyWorktree removes path if it is an empty folder.
func removeEmptyWorktree(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) > 0 {
		// It is gone, or is not empty, which is for git to judge.
		return nil
	}
	return os.Remove(path)
}
