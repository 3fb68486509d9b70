package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"chant/gitops"
)

// largeTree is the number of tracked files from which on a worktree is kept unless the settings say otherwise: reading
// the files of one is then cheaper than writing those of a new one.
const largeTree = 2000

// checkoutMark is the file, in the git folder of a spare worktree, with the settings by which its files were written.
const checkoutMark = "chant-checkout"

// recycles reports whether any worktree is kept for later runs.
func (t *Trees) recycles() bool { return t.Settings.Recycle || t.Settings.RecycleLarge }

// Large reports whether a worktree has so many files that it is kept unless the settings say otherwise.
func Large(repo *gitops.Repo, tree string) bool {
	files, err := repo.TrackedCount(tree)
	return err == nil && files >= largeTree
}

// anySpare reports whether there may be a spare worktree.
func (t *Trees) anySpare() bool {
	for n := 1; n <= t.Settings.Spares; n++ {
		if path, err := t.TreePath(fmt.Sprintf("%s%d", SpareTree, n)); err == nil {
			if _, err := os.Lstat(path); err == nil {
				return true
			}
		}
	}
	return false
}

// putBy prepares a worktree for being kept: off its branch, and clean.
func (t *Trees) putBy(ctx context.Context, tree, commit string) error {
	if err := t.Repo.SwitchTree(ctx, tree, commit); err != nil || t.Settings.Recycle {
		return err
	}
	settings, err := t.Repo.CheckoutSettings(ctx)
	if err != nil {
		return err
	}
	mark, err := t.checkoutMark(tree)
	if err != nil {
		return err
	}
	return os.WriteFile(mark, []byte(settings), 0o600)
}

// renew gives a spare worktree the files of a branch, as a new worktree would have them. It refuses one whose files other
// settings or attributes have written: git would keep them, since their content in the commit is the same.
func (t *Trees) renew(ctx context.Context, spare, branch string) error {
	settings, err := t.Repo.CheckoutSettings(ctx)
	if err != nil {
		return err
	}
	mark, err := t.checkoutMark(spare)
	if err != nil {
		return err
	}
	if was, err := os.ReadFile(mark); err != nil || string(was) != settings {
		return errors.New("the settings for checkouts have changed since")
	}
	head, err := t.Repo.Head(ctx, spare)
	if err != nil {
		return err
	}
	changes, err := t.Repo.Diff(ctx, head.Hash, branch)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(changes, func(c gitops.Change) bool { return path.Base(c.Path) == ".gitattributes" }) {
		return errors.New("the attributes of files have changed since")
	}
	return t.Repo.RenewTree(ctx, spare, branch)
}

func (t *Trees) checkoutMark(tree string) (string, error) {
	folder, err := t.Repo.GitDir(tree)
	return filepath.Join(folder, checkoutMark), err
}
