package gitops

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// IgnoredRepositories lists the repositories in ignored folders of the worktree at dir that hold
// something of their own: uncommitted files, or commits that no remote of theirs had when it was
// asked last. What git cannot read counts too. Clones that can be made again do not, nor does what
// lies behind a link. Paths are slash-separated from dir, sorted. Errors: ErrNotRepository.
func (f *Finder) IgnoredRepositories(ctx context.Context, dir string) ([]string, error) {
	p, err := f.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	// Most worktrees have none, and the walk costs less than git.
	if hasNone(p.Top) {
		return nil, ctx.Err()
	}
	args := []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"}
	out, err := f.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: args})
	if err != nil {
		return nil, err
	}
	var found []string
	for _, record := range gitexec.Records(out) {
		folder, isFolder := strings.CutSuffix(record, "/")
		// A single ignored file cannot be a repository.
		if !isFolder {
			continue
		}
		if found, err = f.repositoriesBelow(ctx, p.Top, folder, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// repositoriesBelow adds those in one folder, which may be one itself.
func (f *Finder) repositoriesBelow(ctx context.Context, top, folder string, found []string) ([]string, error) {
	err := filepath.WalkDir(filepath.Join(top, filepath.FromSlash(folder)), func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil || !d.IsDir() {
			return nil //nolint:nilerr // what cannot be read now cannot be kept either
		}
		bare := layout.IsGitDir(path)
		if _, err := os.Lstat(filepath.Join(path, ".git")); err != nil && !bare {
			return nil
		}
		own, err := holdsOwn(ctx, path, bare)
		if err != nil {
			return err
		}
		if rel, err := filepath.Rel(top, path); err == nil && own {
			found = append(found, filepath.ToSlash(rel))
		}
		// Inside of what is kept nothing need be found; a plain clone that is not kept can have others in it.
		if bare || own {
			return fs.SkipDir
		}
		return nil
	})
	return found, err
}

// holdsOwn reports whether a repository has something that nothing else has.
func holdsOwn(ctx context.Context, path string, bare bool) (bool, error) {
	r, err := openRepository(path, bare)
	if err != nil {
		return true, nil //nolint:nilerr // what cannot be read counts
	}
	defer r.close()
	own, remote, tags, err := r.tips(ctx)
	// Refs that cannot be read count as something of its own.
	if err != nil {
		return true, ctx.Err()
	}
	// Tags are the repository's own here: nothing shows that a remote has them.
	if alone, err := r.hasUnreachable(ctx, append(own, tags...), remote); err != nil || alone || bare {
		return alone, err
	}
	return r.changed(ctx)
}
