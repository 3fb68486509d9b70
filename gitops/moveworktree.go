package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// MoveWorktree moves a worktree and its registration, locked or not, to a path where
// nothing is but an empty folder. A crash can leave it at the new path, registered at
// the old. Errors: ErrNotRepository, fs.ErrExist.
func (r *Repo) MoveWorktree(ctx context.Context, from, to string) error {
	defer r.turns.Adding(ctx)()
	p, err := r.site.Place(from)
	if err != nil {
		return err
	}
	if err := removeEmpty(to); err != nil {
		return err
	}
	if !gone(to) { // git would move it inside
		return fmt.Errorf("worktree %q cannot move to %q: %w", p.Top, to, fs.ErrExist)
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"worktree", "move", "-f", "-f", "--", p.Top, layout.RealPath(to)}})
	return err
}

// RepairWorktree registers a worktree where it stands, if a move that was killed has left
// it registered elsewhere, and reports whether it had to. A folder that is none, or whose
// ".git" leads to the registration of another, is left alone.
func (r *Repo) RepairWorktree(ctx context.Context, path string) (bool, error) {
	p, err := r.site.Place(path)
	if errors.Is(err, ErrNotRepository) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || p.GitDir == r.site.Common {
		return false, err
	}
	text, err := layout.ReadPlain(filepath.Join(p.GitDir, "gitdir"))
	if err != nil {
		return false, err
	}
	if q, err := r.site.Place(filepath.Dir(layout.Resolve(p.GitDir, strings.TrimSpace(string(text))))); err == nil && q.GitDir == p.GitDir {
		return false, nil // that is it
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"worktree", "repair", "--", p.Top}})
	return err == nil, err
}

// Attach puts the worktree at dir, which has the tip of a branch checked out, on that
// branch. Errors: ErrNotRepository, ErrNotFound, ErrChanged when it is not at the tip.
func (r *Repo) Attach(ctx context.Context, dir, branch string) error {
	p, err := r.site.Place(dir)
	if err != nil {
		return err
	}
	if err := layout.ValidBranch(branch); err != nil {
		return err
	}
	tip, err := r.readRef(ctx, layout.Heads+branch)
	if err != nil {
		return err
	}
	head, err := r.headOf(ctx, p)
	if err != nil {
		return err
	}
	if head.Hash != tip {
		return fmt.Errorf("%q is not at the tip of %q: %w", p.Top, branch, ErrChanged)
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"symbolic-ref", "HEAD", layout.Heads + branch}})
	return err
}
