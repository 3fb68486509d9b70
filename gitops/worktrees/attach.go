package worktrees

import (
	"context"
	"fmt"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/refstore"
)

// Attach puts the worktree at dir, which has the tip of a branch checked out, on that
// branch. Errors: ErrNotRepository, ErrNotFound, ErrChanged when it is not at the tip.
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
