package gitops

import (
	"context"
	"slices"
	"strings"

	"chant/gitops/gitexec"
)

// fewLoose is up to how many objects with files of their own reading all of them takes less time than listing those of a
// commit.
const fewLoose = 200

// Replaced lists the objects of some commits, the commits themselves, their folders and their files, whose content on disk
// is not that of their names: something has written other content into the files of git's objects. History before the
// commits is not read.
func Replaced(ctx context.Context, r *Repo, commits ...string) ([]string, error) {
	if loose, all, err := r.objects.Loose(fewLoose); err != nil {
		return nil, err
	} else if all {
		if wrong, err := r.objects.Replaced(ctx, loose); err == nil && len(wrong) == 0 {
			return nil, nil
		}
	}
	var names []string
	for _, commit := range commits {
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
		names = append(names, hash, tree)
		for _, line := range gitexec.Records(out) {
			info, _, _ := strings.Cut(line, "\t")
			if fields := strings.Fields(info); len(fields) == 3 && fields[1] != "commit" { // that of a submodule
				names = append(names, fields[2])
			}
		}
	}
	slices.Sort(names)
	return r.objects.Replaced(ctx, slices.Compact(names)) // commits of one run have most in common
}
