package gitops

import "context"

// Uncommit takes back the newest commit of the worktree at dir, which has to be commit:
// its branch stands at to again, and what the commit held lies in the tree, unstaged. No
// file changes. It does nothing when the branch has moved on. Errors: ErrNotRepository.
func (r *Repo) Uncommit(ctx context.Context, dir, commit, to string) error {
	p, err := r.place(dir)
	if err != nil {
		return err
	}
	head, err := r.headOf(ctx, p)
	if err != nil || head.Hash != commit {
		return err
	}
	_, err = r.git.retry(ctx, call{dir: p.top, args: []string{"reset", "-q", "--mixed", to}, limit: longLimit})
	return err
}
