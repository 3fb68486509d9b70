package gitops

import (
	"context"
	"strings"

	"chant/gitops/gitexec"
)

// Replaced lists the objects of a commit, the commit itself, its folders and its files, whose content on disk is not
// that of their names: something has written other content into the files of git's objects. History before the commit
// is not read.
func Replaced(ctx context.Context, r *Repo, commit string) ([]string, error) {
	hash, err := r.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"ls-tree", "-r", "-t", "-z", "--full-tree", hash}})
	if err != nil {
		return nil, err
	}
	tree, err := r.revs.TreeOf(ctx, hash)
	if err != nil {
		return nil, err
	}
	names := []string{hash, tree}
	for _, line := range gitexec.Records(out) {
		info, _, _ := strings.Cut(line, "\t")
		if fields := strings.Fields(info); len(fields) == 3 && fields[1] != "commit" { // that of a submodule
			names = append(names, fields[2])
		}
	}
	return r.objects.Replaced(ctx, names)
}
