package gitops

import (
	"context"

	"chant/gitops/gitexec"
)

// Uncommit takes back the newest commit of the worktree at dir, which has to be commit:
// its branch stands at to again, and what the commit held lies in the tree, unstaged. No
// file changes. It does nothing when the branch has moved on. Errors: ErrNotRepository.
func (r *Repo) Uncommit(ctx context.Context, dir, commit, to string) error {
	p, err := r.site.Place(dir)
	if err != nil {
		return err
	}
	head, err := r.headOf(ctx, p)
	if err != nil || head.Hash != commit {
		return err
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"reset", "-q", "--mixed", to}, Limit: gitexec.LongLimit})
	return err
}
