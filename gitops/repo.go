package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Repo is an open repository. It holds no lock and no file, needs no closing, and may be
// used by several goroutines.
type Repo struct {
	git      *git
	objects  *objects
	home     string
	dir      string
	common   string
	format   format
	turn     sync.Mutex // one commit at a time, see queue
	ancestry ancestry
}

// Open finds the repository that dir lies in, like git: upward from dir, through ".git"
// files, symbolic links resolved. It starts no process. Errors: ErrNotRepository, ErrBare.
func Open(dir string) (*Repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	start, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", dir, errors.Join(ErrNotRepository, err))
	}
	top, gitDir, err := discover(start)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", dir, err)
	}
	common, err := commonDir(gitDir)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", dir, err)
	}
	form, err := readFormat(common)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", dir, err)
	}
	r := &Repo{git: &git{}, dir: top, common: common, format: form}
	if r.home, err = mainTop(top, gitDir, common, form); err != nil {
		return nil, fmt.Errorf("%q: %w", dir, err)
	}
	if gitDir == common {
		r.dir = r.home
	}
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
	if err := validBranch(branch); err != nil {
		return nil, err
	}
	if _, err := new(git).run(ctx, call{dir: abs, args: []string{"init", "-q", "-b", branch}, write: true}); err != nil {
		return nil, err
	}
	return Open(abs)
}

// Home is the top of the main worktree, absolute, symbolic links resolved; of a bare repository the
// worktree that stands in for it, see bareHome.
func (r *Repo) Home() string { return r.home }

// Dir is the top of the worktree in which Open was called: Home, unless that was a
// linked worktree.
func (r *Repo) Dir() string { return r.dir }

// CommonDir is the folder that all worktrees share: objects, refs, configuration.
func (r *Repo) CommonDir() string { return r.common }

// GitDir is the folder of a worktree of this repository that it shares with no other: its
// HEAD and index. Error: ErrNotRepository.
func (r *Repo) GitDir(tree string) (string, error) {
	p, err := r.place(tree)
	return p.gitDir, err
}
