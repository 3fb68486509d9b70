package committer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Snapshot makes a commit of everything uncommitted in the worktree at dir, ignored files excepted,
// on top of its HEAD. Errors: *gitexec.Error, *gitindex.TooLargeError.
func (w *Committer) Snapshot(ctx context.Context, dir, message string) (_ string, err error) {
	p, err := w.Site.Place(dir)
	if err != nil {
		return "", err
	}
	head, err := w.Refs.HeadOf(ctx, p)
	if err != nil {
		return "", err
	}
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
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Dir(index))) }()
	tree, err := w.treeOnDisk(ctx, p, index)
	if err != nil {
		return "", err
	}
	if have, err := w.Revs.TreeOf(ctx, head.Hash); err != nil || have == tree {
		return "", err
	}
	return w.CommitTree(ctx, tree, []string{head.Hash}, message)
}

// clean reports whether git shows nothing uncommitted in a worktree; false for a sparse one, in which it leaves files
// out.
func (w *Committer) clean(ctx context.Context, p layout.Place) (bool, error) {
	if _, err := os.Lstat(filepath.Join(p.GitDir, "info", "sparse-checkout")); !errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	out, err := w.Index.Patiently(ctx, p, gitexec.Call{Dir: p.Top, Settings: []string{"core.fsmonitor=false", "core.untrackedCache=false"},
		Args: []string{"status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none"}})
	return err == nil && len(out) == 0, err
}

// treeOnDisk stages all there is through an index that nothing else uses.
func (w *Committer) treeOnDisk(ctx context.Context, p layout.Place, index string) (string, error) {
	run := func(args ...string) ([]byte, error) {
		return w.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: args, Write: true, Limit: gitexec.LongLimit,
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
	dir, err := os.MkdirTemp(p.GitDir, "chant-index-")
	if err != nil {
		return "", err
	}
	copied = filepath.Join(dir, "index")
	if err := copyDated(filepath.Join(p.GitDir, "index"), copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return copied, nil
}

// copyDated copies a file with its time: a file of the same size as its entry, and changed
// in the tick in which the index was written, is looked into only by an index of that age.
func copyDated(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	text, err := layout.ReadPlain(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}
