package worktrees

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/refstore"
)

// Move moves a worktree and its registration, locked or not, to a path where nothing is but an
// empty folder.
func (t *Trees) Move(ctx context.Context, from, to string) error {
	if err := refuseLink(from); err != nil {
		return err
	}
	defer t.Turns.Adding(ctx)()
	p, err := t.Site.Place(from)
	if err != nil {
		return err
	}
	if err := removeEmpty(to); err != nil {
		return err
	}
	if !gone(to) { // git would move it inside
		return fmt.Errorf("worktree %q cannot move to %q: %w", p.Top, to, fs.ErrExist)
	}
	_, err = t.Git.Retry(ctx, gitexec.Call{Dir: t.Site.Home, Args: []string{"worktree", "move", "-f", "-f", "--", p.Top, layout.RealPath(to)}})
	return err
}

// Repair registers a worktree where it stands, if a move that was killed has left it registered
// elsewhere, and reports whether it had to.
func (t *Trees) Repair(ctx context.Context, path string) (bool, error) {
	p, err := t.Site.Place(path)
	if errors.Is(err, layout.ErrNotRepository) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || p.GitDir == t.Site.Common {
		return false, err
	}
	text, err := layout.ReadName(filepath.Join(p.GitDir, "gitdir"))
	if err != nil {
		return false, err
	}
	if q, err := t.Site.Place(filepath.Dir(layout.Resolve(p.GitDir, strings.TrimSpace(string(text))))); err == nil && q.GitDir == p.GitDir {
		return false, nil // that is it
	}
	_, err = t.Git.Retry(ctx, gitexec.Call{Dir: t.Site.Home, Args: []string{"worktree", "repair", "--", p.Top}})
	return err == nil, err
}

// Attach puts the worktree at dir, which has the tip of a branch checked out, on that branch.
func (t *Trees) Attach(ctx context.Context, dir, branch string) error {
	p, err := t.Site.Place(dir)
	if err != nil {
		return err
	}
	if err := layout.ValidBranch(branch); err != nil {
		return err
	}
	tip, err := t.Refs.Read(ctx, layout.Heads+branch)
	if err != nil {
		return err
	}
	head, err := t.Refs.HeadOf(ctx, p)
	if err != nil {
		return err
	}
	if head.Hash != tip {
		return fmt.Errorf("%q is not at the tip of %q: %w", p.Top, branch, refstore.ErrChanged)
	}
	_, err = t.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"symbolic-ref", "HEAD", layout.Heads + branch}})
	return err
}
