package gitops

import (
	"context"
	"os"
	"path/filepath"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/lockfile"
)

// Repo is an open repository. It holds no lock and no file, needs no closing, and may be
// used by several goroutines.
type Repo struct {
	git      *gitexec.Runner
	site     *layout.Site
	turns    *lockfile.Turns
	objects  *objects
	ancestry ancestry
}

// Open finds the repository that dir lies in, like git: upward from dir, through ".git"
// files, symbolic links resolved. It starts no process. Errors: ErrNotRepository, ErrBare.
func Open(dir string) (*Repo, error) {
	site, err := layout.Find(dir)
	if err != nil {
		return nil, err
	}
	r := &Repo{git: &gitexec.Runner{}, site: site, turns: lockfile.NewTurns(site.Common)}
	r.objects = newObjects(r)
	return r, nil
}

// Init makes a repository in dir, which is created where missing, with branch as the
// branch to be born, and opens it.
func Init(ctx context.Context, dir, branch string) (*Repo, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := layout.ValidBranch(branch); err != nil {
		return nil, err
	}
	if _, err := new(gitexec.Runner).Run(ctx, gitexec.Call{Dir: abs, Args: []string{"init", "-q", "-b", branch}, Write: true}); err != nil {
		return nil, err
	}
	return Open(abs)
}

// Home is the top of the main worktree, absolute, symbolic links resolved; of a bare repository the
// worktree that stands in for it, as all processes choose it.
func (r *Repo) Home() string { return r.site.Home }

// Dir is the top of the worktree in which Open was called: Home, unless that was a
// linked worktree.
func (r *Repo) Dir() string { return r.site.Dir }

// CommonDir is the folder that all worktrees share: objects, refs, configuration.
func (r *Repo) CommonDir() string { return r.site.Common }

// GitDir is the folder of a worktree of this repository that it shares with no other: its
// HEAD and index. Error: ErrNotRepository.
func (r *Repo) GitDir(tree string) (string, error) {
	p, err := r.site.Place(tree)
	return p.GitDir, err
}

// Shallow reports whether the history of the repository is cut off, as in a clone made
// with --depth.
func (r *Repo) Shallow() bool {
	return r.site.Shallow()
}

// Gone reports whether the repository was removed or moved away since it was opened:
// what git knows a repository by is no longer there.
func (r *Repo) Gone() bool {
	return r.site.Gone()
}

// AdminDir is the folder in which git keeps what is a worktree's own, whatever has become of
// that: by what leads from there to the tree, else by what leads there, and of a tree that
// is planned by how git will name it. A tree that was moved keeps the folder that it had.
func (r *Repo) AdminDir(tree string) string {
	return r.site.AdminDir(tree)
}
