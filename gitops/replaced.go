package gitops

import (
	"context"
	"strings"

	"chant/gitops/gitexec"
)

// Replaced lists the objects of some commits, given by their full hashes, whose content on disk is not that of their names:
// something has written other content into the files of git's objects. These are the commits themselves, their folders and
// their files; history before them is not read.
func (r *Repo) Replaced(ctx context.Context, commits ...string) ([]string, error) {
	args := append([]string{"rev-list", "--no-walk", "--objects", "--no-object-names", "--missing=allow-any"}, commits...)
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: args})
	if err != nil { // what is not even an object
		return nil, err
	}
	return r.objects.Replaced(ctx, strings.Fields(string(out)))
}
