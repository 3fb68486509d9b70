package gitops

import (
	"context"
	"slices"

	"chant/gitops/gitexec"
)

// TrackedFiles lists the paths in the index of the worktree at dir, slash-separated from its top and
// sorted by bytes. Errors: ErrNotRepository.
func (r *Repo) TrackedFiles(ctx context.Context, dir string) ([]string, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	entries, ok := r.indexFile(p)
	for _, e := range entries {
		paths = append(paths, e.Name)
	}
	if !ok {
		out, err := r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"ls-files", "-z"}})
		if err != nil {
			return nil, err
		}
		paths = gitexec.Records(out)
	}
	slices.Sort(paths)
	return paths, nil
}
