package gitops

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/rootdir"
)

// Snapshot makes a commit of everything uncommitted in the worktree at dir, ignored files
// excepted, on top of its HEAD. No ref, index or file changes; "" when there is nothing
// uncommitted. A nested repository without a commit is an error, one with a commit is kept
// as that commit's name alone: see NestedRepositories. Errors: ErrNotRepository, ErrUnborn.
func (w *Committer) Snapshot(ctx context.Context, dir, message string) (_ string, err error) {
	p, err := w.Site.Place(dir)
	if err != nil {
		return "", err
	}
	head, err := w.Refs.HeadOf(ctx, p)
	if err != nil {
		return "", err
	}
	// Most worktrees are clean, and one status costs less than a copy of the index, an add and a write-tree.
	if clean, err := w.clean(ctx, p); err != nil || clean {
		return "", err
	}
	if err := w.Index.CheckSizes(ctx, p); err != nil {
		return "", err
	}
	index, err := copyIndex(p)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, rootdir.RemoveEach(p.GitDir, filepath.Base(filepath.Dir(index)))) }()
	tree, err := w.treeOnDisk(ctx, p, index)
	if err != nil {
		return "", err
	}
	// Times alone may have changed, and then the tree is that of HEAD.
	if have, err := w.Revs.TreeOf(ctx, head.Hash); err != nil || have == tree {
		return "", err
	}
	return w.CommitTree(ctx, tree, []string{head.Hash}, message)
}

// clean reports whether git shows nothing uncommitted in a worktree; false for a sparse one, in which it leaves files
// out.
func (w *Committer) clean(ctx context.Context, p layout.Place) (bool, error) {
	// In a sparse worktree, git leaves files out of its status that exist on disk.
	if _, err := os.Lstat(filepath.Join(p.GitDir, "info", "sparse-checkout")); !errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	// A monitor or an untracked cache that the agent has configured could hide a changed file.
	out, err := w.Index.Patiently(ctx, p, gitexec.Call{Dir: p.Top, Settings: []string{"core.fsmonitor=false", "core.untrackedCache=false"},
		Args: []string{"status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none"}})
	return err == nil && len(out) == 0, err
}

// treeOnDisk stages all there is through an index that nothing else uses.
func (w *Committer) treeOnDisk(ctx context.Context, p layout.Place, index string) (string, error) {
	run := func(args ...string) ([]byte, error) {
		return w.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: args, Write: true, Limit: gitexec.LongLimit,
			// A split index would put its shared part beside the real index, where others see it.
			Settings: []string{"core.splitIndex=false", "core.fsmonitor=false"},
			Env:      []string{"GIT_INDEX_FILE=" + index}})
	}
	if _, err := run("add", "-A", "--sparse"); err != nil {
		return "", err
	}
	out, err := run("write-tree")
	return strings.TrimSpace(string(out)), err
}

// copyIndex copies a worktree's index into a folder of its own, so that work on the copy
// knows what git knows of the files and locks nothing.
func copyIndex(p layout.Place) (copied string, err error) {
	folder := "chant-index-" + rand.Text()
	err = rootdir.In(p.GitDir, func(root *os.Root) error {
		// A folder of its own gives the copy a lock of its own: no other process waits for it, nor it for others.
		if err := root.Mkdir(folder, 0o700); err != nil {
			return err
		}
		// A repository without an index, as after a fresh checkout of nothing, starts from an empty one.
		err := copyWithTime(root, "index", folder+"/index")
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return errors.Join(err, rootdir.RemoveAll(root, folder))
	})
	return filepath.Join(p.GitDir, folder, "index"), err
}

// copyWithTime copies a file with its time: a file of the same size as its entry, and changed
// in the tick in which the index was written, is looked into only by an index of that age.
func copyWithTime(root *os.Root, from, to string) error {
	info, err := root.Stat(from)
	if err != nil {
		return err
	}
	text, err := rootdir.Read(root, from, maxSnapshotIndex)
	if err != nil {
		return err
	}
	if err := rootdir.Write(root, to, text, 0o600); err != nil {
		return err
	}
	// Git compares the time of the index with those of its entries: with a newer one it would trust entries that it has to
	// look into.
	return root.Chtimes(filepath.FromSlash(to), info.ModTime(), info.ModTime())
}

// maxSnapshotIndex is more than any index has, in bytes.
const maxSnapshotIndex = 1 << 30
