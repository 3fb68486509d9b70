package gitops

import (
	"context"

	"chant/gitops/gitexec"
)

// RemoveUntracked removes what the worktree at dir holds that is neither tracked nor
// ignored; repositories inside it stay. Errors: ErrNotRepository.
func (r *Repo) RemoveUntracked(ctx context.Context, dir string) error {
	p, err := r.site.Place(dir)
	if err != nil {
		return err
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"clean", "-q", "-f", "-d"}, Limit: gitexec.LongLimit})
	return err
}
