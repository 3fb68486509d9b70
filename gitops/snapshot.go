package gitops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Snapshot makes a commit of everything uncommitted in the worktree at dir, ignored files
// excepted, on top of its HEAD. No ref, index or file changes; "" when there is nothing
// uncommitted. Errors: ErrNotRepository.
func (r *Repo) Snapshot(ctx context.Context, dir, message string) (_ string, err error) {
	p, err := r.place(dir)
	if err != nil {
		return "", err
	}
	head, err := r.headOf(ctx, p)
	if err != nil {
		return "", err
	}
	index, err := copyIndex(p)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Dir(index))) }()
	env := []string{"GIT_INDEX_FILE=" + index}
	if _, err := r.git.run(ctx, call{dir: p.top, args: []string{"add", "-A", "--sparse"}, env: env, write: true, limit: longLimit}); err != nil {
		return "", err
	}
	out, err := r.git.run(ctx, call{dir: p.top, args: []string{"write-tree"}, env: env, write: true})
	if err != nil {
		return "", err
	}
	tree := strings.TrimSpace(string(out))
	if have, err := r.treeOf(ctx, head.Hash); err != nil || have == tree {
		return "", err
	}
	return r.CommitTree(ctx, tree, []string{head.Hash}, message)
}

// copyIndex copies a worktree's index into a folder of its own, so that work on the copy
// knows what git knows of the files and locks nothing.
func copyIndex(p place) (string, error) {
	dir, err := os.MkdirTemp(p.gitDir, "chant-index-")
	if err != nil {
		return "", err
	}
	copied := filepath.Join(dir, "index")
	src, err := os.ReadFile(filepath.Join(p.gitDir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return copied, nil
	}
	if err == nil {
		err = os.WriteFile(copied, src, 0o600)
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return copied, nil
}
