package gitops

import (
	"context"
	"strings"

	"chant/gitops/gitexec"
)

// StatusEntry is one path that is not clean. Code is git's two letters: the first for
// index against commit, the second for disk against index, "??" for untracked.
type StatusEntry struct{ Code, Path string }

// Status lists what is changed, staged or untracked in the worktree whose top is dir; a
// rename shows as a removal and an addition. With paths, slash-separated from the top, only
// what lies at or below them. It takes no lock. Errors: ErrNotRepository when dir is not
// (any more) that worktree.
func (r *Repo) Status(ctx context.Context, dir string, paths ...string) ([]StatusEntry, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return nil, err
	}
	args := []string{"--literal-pathspecs", "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--"}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: append(args, paths...)})
	if err != nil {
		return nil, err
	}
	var entries []StatusEntry
	for _, record := range gitexec.Records(out) {
		if len(record) > 3 {
			entries = append(entries, StatusEntry{Code: record[:2], Path: record[3:]})
		}
	}
	return entries, nil
}

// Hidden lists the tracked files of the worktree at dir that git was told not to look at
// (assume-unchanged, and skip-worktree outside of a sparse checkout): Status says nothing
// of them. Errors as Status.
func (r *Repo) Hidden(ctx context.Context, dir string) ([]string, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return nil, err
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"ls-files", "-v", "-z"}})
	if err != nil {
		return nil, err
	}
	sparse, err := r.truth(ctx, p.Top, "core.sparseCheckout")
	var hidden []string
	for _, record := range gitexec.Records(out) {
		tag, path, _ := strings.Cut(record, " ")
		if strings.ToLower(tag) == tag && tag != "?" || tag == "S" && !sparse {
			hidden = append(hidden, path)
		}
	}
	return hidden, err
}
