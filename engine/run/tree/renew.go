package tree

import (
	"context"
	"fmt"
	"os"

	"chant/gitops"
)

// largeTree is the number of tracked files from which on a worktree is kept unless the settings say otherwise: reading
// the files of one is then cheaper than writing those of a new one.
const largeTree = 2000

// recycles reports whether any worktree is kept for later runs.
func (t *Trees) recycles() bool { return t.Settings.Recycle || t.Settings.RecycleLarge }

// Large reports whether a worktree has so many files that it is kept unless the settings say otherwise.
func Large(ctx context.Context, repo *gitops.Repo, tree string) bool {
	files, err := repo.TrackedFiles(ctx, tree)
	return err == nil && len(files) >= largeTree
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
