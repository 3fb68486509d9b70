package gitops

import (
	"context"
	"errors"
	"sync"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/refstore"
)

// PrepareCommit begins to ask git what a next commit needs to know, so that other work can be done meanwhile: its
// settings, and its attributes of paths in home. The answers are kept; the caller must call wait in the end.
func (r *Repo) PrepareCommit(ctx context.Context, paths ...string) (wait func()) {
	var asked sync.WaitGroup
	// Errors are not kept: the commit asks again, and returns them.
	asked.Go(func() { _, _ = r.config.Summary(ctx) })
	if len(paths) > 0 {
		asked.Go(func() { r.objects.LearnAttributes(ctx, r.site.Home, paths) })
	}
	return asked.Wait
}

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
