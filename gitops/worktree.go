package gitops

import (
	"context"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// RemoveUntracked removes what the worktree at dir holds that is neither tracked nor
// ignored; repositories inside it stay. Errors: ErrNotRepository.
func (r *Repo) RemoveUntracked(ctx context.Context, dir string) error {
	p, err := r.site.Place(dir)
	if err != nil {
		return err
	}
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"clean", "-q", "-f", "-d"}, Limit: gitexec.LongLimit})
	return err
}

// HooksDir is the folder in which git looks for the hooks of the worktree at dir, absolute;
// it may not exist. That is what core.hooksPath says, else the folder "hooks" that all
// worktrees share. Errors: ErrNotRepository.
func (r *Repo) HooksDir(ctx context.Context, dir string) (string, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return "", err
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"rev-parse", "--git-path", "hooks"}})
	if err != nil {
		return "", err
	}
	return layout.RealPath(layout.Resolve(p.Top, strings.TrimRight(string(out), "\r\n"))), nil
}

// Tracked reports whether git tracks a file of the worktree at dir; path is absolute.
// What lies outside of the worktree is not tracked.
func (r *Repo) Tracked(ctx context.Context, dir, path string) (bool, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return false, err
	}
	rel, err := filepath.Rel(p.Top, path)
	if err != nil || !filepath.IsLocal(rel) {
		return false, nil //nolint:nilerr // no way from one to the other: outside
	}
	_, err = r.git.Run(ctx, gitexec.Call{Dir: p.Top, Env: []string{"GIT_LITERAL_PATHSPECS=1"},
		Args: []string{"ls-files", "--error-unmatch", "--", filepath.ToSlash(rel)}})
	if gitexec.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}
