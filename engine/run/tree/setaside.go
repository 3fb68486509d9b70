package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"chant/engine/journal"
	"chant/engine/realpath"
	"chant/gitops/rootdir"
)

// setAside renames a folder that git cannot save: one whose .git is missing, or that contains repositories of its own.
// Its registration is removed, its files stay.
func (t *Trees) setAside(ctx context.Context, tree string) error {
	if err := t.rescueHead(ctx, tree); err != nil {
		return err
	}
	for n := 1; ; n++ {
		kept := fmt.Sprintf("%s.kept-%d", tree, n)
		if _, err := os.Lstat(kept); err == nil {
			continue
		}
		err := os.Rename(tree, kept)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			t.Rescued = append(t.Rescued, kept)
			t.Announce(journal.Clean, "warning", "kept the folder of the worktree as %s", kept)
			if err := cutOff(kept); err != nil {
				return err
			}
		}
		return t.Repo.RemoveWorktree(ctx, tree) // only its own registration
	}
}

// cutOff makes the .git of a folder that was set aside lead nowhere. The next worktree of its name gets the
// registration that it names, and git, run in this folder, would take it for that worktree. Without the file, git would
// take it for home.
func cutOff(folder string) error {
	return rootdir.In(folder, func(root *os.Root) error {
		if info, err := root.Lstat(".git"); err != nil || !info.Mode().IsRegular() {
			return nil //nolint:nilerr // an agent has removed it, or created a repository there
		}
		return rootdir.Write(root, ".git", []byte("gitdir: nowhere, this folder was set aside\n"), 0o644)
	})
}

// rescueHead keeps the commit that a worktree without a branch has checked out: nothing else holds it once the
// registration is removed.
func (t *Trees) rescueHead(ctx context.Context, tree string) error {
	trees, err := t.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, one := range trees {
		if one.Branch != "" || one.Head == "" || !realpath.Same(one.Path, tree) {
			continue
		}
		known, err := t.contains(ctx, one.Head)
		if err != nil || known {
			return err
		}
		return t.rescue(ctx, one.Head)
	}
	return nil
}
