package gitops

import (
	"context"
	"errors"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/refstore"
)

// Uncommit takes back the newest commit of the worktree at dir, which has to be commit:
// its branch stands at to again, and what the commit held lies in the tree, unstaged. No
// file changes. It does nothing when the branch has moved on. Errors: ErrNotRepository.
func (r *Repo) Uncommit(ctx context.Context, dir, commit, to string) error {
	p, err := r.site.Place(dir)
	if err != nil {
		return err
	}
	head, err := r.refs.HeadOf(ctx, p)
	if err != nil || head.Hash != commit {
		return err
	}
	ref := "HEAD"
	if head.Branch != "" {
		ref = layout.Heads + head.Branch
	}
	if err := r.refs.Move(ctx, p, ref, to, commit, "chant: uncommit"); err != nil {
		if errors.Is(err, refstore.ErrChanged) {
			return nil
		}
		return err
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"reset", "-q", "--mixed"}, Limit: gitexec.LongLimit}) // the index alone
	return err
}
