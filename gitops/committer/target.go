package committer

import (
	"context"

	"chant/gitops/gitindex"
	"chant/gitops/layout"
)

func (w *Committer) target(ctx context.Context, o CommitOptions) (gitindex.Target, error) {
	p, err := w.Site.Place(o.Dir)
	if err != nil {
		return gitindex.Target{}, err
	}
	branch := o.Branch
	if branch == "" {
		head, err := w.Refs.HeadOf(ctx, p)
		if err != nil {
			return gitindex.Target{}, err
		}
		if head.Branch == "" {
			return gitindex.Target{Place: p, Ref: "HEAD"}, nil
		}
		branch = head.Branch
	}
	if err := layout.ValidBranch(branch); err != nil {
		return gitindex.Target{}, err
	}
	return gitindex.Target{Place: p, Ref: layout.Heads + branch}, nil
}
