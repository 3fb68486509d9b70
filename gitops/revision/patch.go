package revision

import (
	"context"

	"chant/gitops/gitexec"
)

// Patch returns what differs between two commits in git's format for patches, without colours and renames. No program
// that attributes or settings name takes part.
func (r *Reader) Patch(ctx context.Context, from, to string) ([]byte, error) {
	a, err := r.TreeOf(ctx, from)
	if err != nil {
		return nil, err
	}
	b, err := r.TreeOf(ctx, to)
	if err != nil {
		return nil, err
	}
	return r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Settings: []string{"core.quotePath=false", "diff.noprefix=false", "diff.mnemonicPrefix=false"}, Args: []string{
		"diff-tree", "-r", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", a, b,
	}})
}
