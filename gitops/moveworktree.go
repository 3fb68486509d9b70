package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// MoveWorktree moves a worktree and its registration, locked or not, to a path where
// nothing is but an empty folder. A crash can leave it at the new path, registered at
// the old. Errors: ErrNotRepository, fs.ErrExist.
func (r *Repo) MoveWorktree(ctx context.Context, from, to string) error {
	defer r.adding(ctx)()
	p, err := r.place(from)
	if err != nil {
		return err
	}
	if err := removeEmpty(to); err != nil {
		return err
	}
	if !gone(to) { // git would move it inside
		return fmt.Errorf("worktree %q cannot move to %q: %w", p.top, to, fs.ErrExist)
	}
	_, err = r.git.retry(ctx, call{dir: r.home, args: []string{"worktree", "move", "-f", "-f", "--", p.top, realPath(to)}})
	return err
}

// RepairWorktree registers a worktree where it stands, if a move that was killed has left
// it registered elsewhere, and reports whether it had to. A folder that is none, or whose
// ".git" leads to the registration of another, is left alone.
func (r *Repo) RepairWorktree(ctx context.Context, path string) (bool, error) {
	p, err := r.place(path)
	if errors.Is(err, ErrNotRepository) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || p.gitDir == r.common {
		return false, err
	}
	text, err := readPlain(filepath.Join(p.gitDir, "gitdir"))
	if err != nil {
		return false, err
	}
	if q, err := r.place(filepath.Dir(resolve(p.gitDir, strings.TrimSpace(string(text))))); err == nil && q.gitDir == p.gitDir {
		return false, nil // that is it
	}
	_, err = r.git.retry(ctx, call{dir: r.home, args: []string{"worktree", "repair", "--", p.top}})
	return err == nil, err
}

// Attach puts the worktree at dir, which has the tip of a branch checked out, on that
// branch. Errors: ErrNotRepository, ErrNotFound, ErrChanged when it is not at the tip.
func (r *Repo) Attach(ctx context.Context, dir, branch string) error {
	p, err := r.place(dir)
	if err != nil {
		return err
	}
	if err := validBranch(branch); err != nil {
		return err
	}
	tip, err := r.readRef(ctx, heads+branch)
	if err != nil {
		return err
	}
	head, err := r.headOf(ctx, p)
	if err != nil {
		return err
	}
	if head.Hash != tip {
		return fmt.Errorf("%q is not at the tip of %q: %w", p.top, branch, ErrChanged)
	}
	_, err = r.git.retry(ctx, call{dir: p.top, args: []string{"symbolic-ref", "HEAD", heads + branch}})
	return err
}
