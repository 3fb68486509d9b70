package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Place is a worktree that was found to be where it should: its top and the folder in which git keeps
// what is its own.
type Place struct{ Top, GitDir string }

// Place proves that dir is the top of a worktree of this repository: that its ".git"
// leads here. "" is the worktree in which Open was called.
func (s *Site) Place(dir string) (Place, error) {
	if dir == "" {
		dir = s.Dir
	}
	top := RealPath(dir)
	gitDir, err := gitDirOf(top)
	if err != nil {
		return Place{}, fmt.Errorf("%q is not a worktree of %q: %w", dir, s.Home, ErrNotRepository)
	}
	if common, err := commonDir(gitDir); err != nil || common != s.Common {
		return Place{}, fmt.Errorf("%q is not a worktree of %q: %w", dir, s.Home, ErrNotRepository)
	}
	return Place{Top: top, GitDir: gitDir}, nil
}

// Places lists the worktrees that stand, the main one first, without a process.
func (s *Site) Places() ([]Place, error) {
	var all []Place
	if p, err := s.Place(s.Home); err == nil {
		all = append(all, p)
	}
	links, err := os.ReadDir(filepath.Join(s.Common, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, link := range links {
		gitDir := filepath.Join(s.Common, "worktrees", link.Name())
		text, err := ReadName(filepath.Join(gitDir, "gitdir"))
		if err != nil {
			continue // removed while we looked
		}
		dot := Resolve(gitDir, strings.TrimSpace(string(text)))
		if p, err := s.Place(filepath.Dir(dot)); err == nil && p.GitDir == gitDir && p.Top != s.Home { // home is one of a bare repository
			all = append(all, p)
		}
	}
	return all, nil
}

// AdminDir is the folder in which git keeps what is a worktree's own, whatever has become of that:
// by what leads from there to the tree, else by what leads there, and of a tree that is planned by
// how git will name it. It is never that of another worktree, to which a tree may lead, nor the
// repository's.
func (s *Site) AdminDir(tree string) string {
	top := RealPath(tree)
	all := filepath.Join(s.Common, "worktrees")
	own, err := s.Place(tree)
	linked := err == nil && filepath.Dir(own.GitDir) == all
	if linked && leadsTo(own.GitDir) == top {
		return own.GitDir
	}
	links, _ := os.ReadDir(all) // none: nothing leads from there
	for _, link := range links {
		if gitDir := filepath.Join(all, link.Name()); leadsTo(gitDir) == top {
			return gitDir
		}
	}
	if linked { // it was moved by hand
		if _, err := os.Lstat(filepath.Join(leadsTo(own.GitDir), ".git")); err != nil {
			return own.GitDir
		}
	}
	return filepath.Join(all, filepath.Base(tree))
}

// leadsTo returns the worktree to which git's folder of one leads, "" if that cannot be read.
func leadsTo(gitDir string) string {
	text, err := ReadName(filepath.Join(gitDir, "gitdir"))
	if err != nil {
		return ""
	}
	return RealPath(filepath.Dir(Resolve(gitDir, strings.TrimSpace(string(text)))))
}

// RealPath is path without symbolic links, as far as it exists.
func RealPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if parent := filepath.Dir(abs); parent != abs {
		return filepath.Join(RealPath(parent), filepath.Base(abs))
	}
	return abs
}
