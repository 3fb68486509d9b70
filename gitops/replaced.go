package gitops

import (
	"context"
	"errors"
	"strings"

	"chant/gitops/gitexec"
)

// Replaced lists the objects of some commits, the commits themselves, their folders and their files, whose content on disk
// is not that of their names: something has written other content into the files of git's objects. History before the
// commits is not read.
func (r *Repo) Replaced(ctx context.Context, commits ...string) ([]string, error) {
	var hashes []string
	for _, commit := range commits {
		hash, err := r.Resolve(ctx, commit)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, hash)
	}
	// Git reads the commits and folders, so it may find one that it cannot read, and then not list what else is wrong.
	args := append([]string{"rev-list", "--no-walk", "--objects", "--no-object-names", "--missing=allow-any"}, hashes...)
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: args})
	if err == nil {
		return r.objects.Replaced(ctx, strings.Fields(string(out)))
	}
	all, looseErr := r.objects.Loose()
	if looseErr != nil {
		return nil, errors.Join(err, looseErr)
	}
	wrong, looseErr := r.objects.Replaced(ctx, all)
	if len(wrong) > 0 {
		return wrong, looseErr
	}
	return nil, errors.Join(err, looseErr)
}
