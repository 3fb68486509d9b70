package tree

import (
	"context"
	"os"
	"path/filepath"

	"chant/engine/checktree"
	"chant/engine/journal"
	"chant/gitops"
)

// recyclesChecks reports whether check trees are kept: not with the setting by which worktrees keep what is installed in
// them, since check trees begin without it; and not if settings make the files of runs others than those of check trees.
func recyclesChecks(ctx context.Context, t *Trees) bool {
	if !t.Settings.RecycleLarge || t.Settings.Recycle {
		return false
	}
	unlike, err := gitops.Unfaithful(ctx, t.Repo)
	return err == nil && len(unlike) == 0
}

// TakeForCheck moves a spare worktree to the place of a check tree, with the files of a commit as if it was new: git
// compares the content of every file, and all others go. False if none can be used. A check tree that is kept goes to the
// places of spare worktrees, so that runs and checks use the same ones.
func (t *Trees) TakeForCheck(ctx context.Context, path, commit string) (bool, error) {
	if !recyclesChecks(ctx, t) || !t.anySpare() || !besideSpares(t, path) {
		return false, nil
	}
	return useSpare(ctx, t, journal.Verify, func(spare string) error {
		if err := t.Repo.RenewTree(ctx, spare, commit); err != nil {
			return err
		}
		return t.Repo.MoveWorktree(ctx, spare, path)
	})
}

// KeepFromCheck keeps a check tree for later runs and checks; false if it is small or has something special, so that it
// must be removed. Nothing that is not committed is kept of it.
func (t *Trees) KeepFromCheck(ctx context.Context, path string) bool {
	if !recyclesChecks(ctx, t) || !t.Whole(path) || !Large(ctx, t.Repo, path) || !besideSpares(t, path) {
		return false
	}
	if nested, err := t.nested(ctx, path); err != nil || len(nested) > 0 {
		return false // what a command has cloned there would make the spare worktree one that nothing uses
	}
	return keep(ctx, t, path, journal.Verify)
}

// besideSpares reports whether a folder can be moved between the place of a check tree and those of spare worktrees:
// not to another file system.
func besideSpares(t *Trees, path string) bool {
	spares, err := t.TreePath("")
	if err != nil {
		return false
	}
	probe, err := os.MkdirTemp(filepath.Dir(path), checktree.ProbePrefix)
	if err != nil {
		return false
	}
	there := filepath.Join(spares, filepath.Base(probe))
	if err := os.Rename(probe, there); err != nil {
		_ = os.Remove(probe) // an empty folder, which the next check removes
		return false
	}
	return os.Remove(there) == nil
}
