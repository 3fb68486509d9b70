package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// place is a worktree that was found to be where it should.
type place struct{ top, gitDir string }

// place proves that dir is the top of a worktree of this repository: that its ".git"
// leads here. "" is the worktree in which Open was called.
func (r *Repo) place(dir string) (place, error) {
	if dir == "" {
		dir = r.dir
	}
	top := realPath(dir)
	gitDir, err := gitDirOf(top)
	if err != nil {
		return place{}, fmt.Errorf("%q is not a worktree of %q: %w", dir, r.home, ErrNotRepository)
	}
	if common, err := commonDir(gitDir); err != nil || common != r.common {
		return place{}, fmt.Errorf("%q is not a worktree of %q: %w", dir, r.home, ErrNotRepository)
	}
	return place{top: top, gitDir: gitDir}, nil
}

// places lists the worktrees that stand, the main one first, without a process.
func (r *Repo) places() ([]place, error) {
	var all []place
	if p, err := r.place(r.home); err == nil {
		all = append(all, p)
	}
	links, err := os.ReadDir(filepath.Join(r.common, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, link := range links {
		gitDir := filepath.Join(r.common, "worktrees", link.Name())
		text, err := readPlain(filepath.Join(gitDir, "gitdir"))
		if err != nil {
			continue // removed while we looked
		}
		dot := resolve(gitDir, strings.TrimSpace(string(text)))
		if p, err := r.place(filepath.Dir(dot)); err == nil && p.gitDir == gitDir && p.top != r.home { // home is one of a bare repository
			all = append(all, p)
		}
	}
	return all, nil
}

// AdminDir is the folder in which git keeps what is a worktree's own, whatever has become of
// that: by what leads from there to the tree, else by what leads there, and of a tree that
// is planned by how git will name it. A tree that was moved keeps the folder that it had.
func (r *Repo) AdminDir(tree string) string {
	top := realPath(tree)
	all := filepath.Join(r.common, "worktrees")
	links, _ := os.ReadDir(all) // none: nothing leads from there
	for _, link := range links {
		gitDir := filepath.Join(all, link.Name())
		text, err := readPlain(filepath.Join(gitDir, "gitdir"))
		if err == nil && realPath(filepath.Dir(resolve(gitDir, strings.TrimSpace(string(text))))) == top {
			return gitDir
		}
	}
	if p, err := r.place(tree); err == nil {
		return p.gitDir
	}
	return filepath.Join(all, filepath.Base(tree))
}

// headOf reads HEAD of a worktree.
func (r *Repo) headOf(ctx context.Context, p place) (Head, error) {
	text, err := readPlain(filepath.Join(p.gitDir, "HEAD"))
	if err != nil {
		return Head{}, err
	}
	value := strings.TrimSpace(string(text))
	if r.format.reftable {
		return r.headByGit(ctx, p)
	}
	ref, symbolic := strings.CutPrefix(value, "ref:")
	if !symbolic {
		if !isHash(value) {
			return Head{}, fmt.Errorf("HEAD of %q is broken: it holds %q", p.top, value)
		}
		return Head{Hash: value}, nil
	}
	ref = strings.TrimSpace(ref)
	head := Head{Branch: strings.TrimPrefix(ref, heads)}
	head.Hash, err = r.readRef(ctx, ref)
	if errors.Is(err, ErrNotFound) {
		return head, fmt.Errorf("branch %q: %w", head.Branch, ErrUnborn)
	}
	return head, err
}

// headByGit reads HEAD where refs are not files.
func (r *Repo) headByGit(ctx context.Context, p place) (Head, error) {
	var head Head
	out, err := r.git.run(ctx, call{dir: p.top, args: []string{"symbolic-ref", "-q", "HEAD"}})
	if err == nil {
		head.Branch = strings.TrimPrefix(strings.TrimSpace(string(out)), heads)
	} else if exitCode(err) != 1 {
		return head, err
	}
	out, err = r.git.run(ctx, call{dir: p.top, args: []string{"rev-parse", "-q", "--verify", "HEAD"}})
	if exitCode(err) == 1 {
		return head, fmt.Errorf("branch %q: %w", head.Branch, ErrUnborn)
	}
	head.Hash = strings.TrimSpace(string(out))
	return head, err
}

// realPath is path without symbolic links, as far as it exists.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if parent := filepath.Dir(abs); parent != abs {
		return filepath.Join(realPath(parent), filepath.Base(abs))
	}
	return abs
}
