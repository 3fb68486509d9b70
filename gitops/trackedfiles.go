package gitops

import (
	"context"
	"slices"
)

// TrackedFiles lists the paths in the index of the worktree at dir, slash-separated from its top and
// sorted by bytes. Errors: ErrNotRepository.
func (r *Repo) TrackedFiles(ctx context.Context, dir string) ([]string, error) {
	p, err := r.place(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	entries, ok := r.indexFile(p)
	for _, e := range entries {
		paths = append(paths, e.Name)
	}
	if !ok {
		out, err := r.git.run(ctx, call{dir: p.top, args: []string{"ls-files", "-z"}})
		if err != nil {
			return nil, err
		}
		paths = records(out)
	}
	slices.Sort(paths)
	return paths, nil
}
