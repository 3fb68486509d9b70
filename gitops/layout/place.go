package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Place is a worktree that was found to be where it should: its top and the folder in which git keeps
// what is its own.
type Place struct{ Top, GitDir string }

// Place proves that dir is the top of a worktree of this repository: that its ".git"
// leads here. "" is the worktree in which Open was called.
func (s *Site) Place(dir string) (Place, error) {
	switch {
	case dir == "":
		dir = s.Dir
	case dir == s.Folder:
		dir = s.Home
	}
	return s.place(dir, RealPaths{})
}

// place is Place for one of many worktrees.
func (s *Site) place(dir string, reals RealPaths) (Place, error) {
	top := reals.Of(dir)
	if s.apart && top == s.Home {
		return Place{Top: top, GitDir: s.Common}, nil
	}
	gitDir, err := gitDirOf(top, reals)
	if err != nil {
		return Place{}, fmt.Errorf("%q is not a worktree of %q: %w", dir, s.Home, ErrNotRepository)
	}
	// An emptied or replaced folder would otherwise run the command in the repository around it.
	if common, err := commonDir(gitDir, reals); err != nil || common != s.Common {
		return Place{}, fmt.Errorf("%q is not a worktree of %q: %w", dir, s.Home, ErrNotRepository)
	}
	// An agent can point the ".git" of its worktree at the git folder of another one.
	if c := s.Claim(gitDir, top); c.Hostile && !c.Right {
		return Place{}, fmt.Errorf("%q has the files of git of another worktree of %q: %w", dir, s.Home, ErrNotRepository)
	}
	// Git takes a folder with a broken HEAD for none of its own and looks above it.
	if gitDir != s.Common && !hasHead(gitDir) {
		return Place{}, fmt.Errorf("HEAD of %q is broken: %w", dir, ErrNotRepository)
	}
	return Place{Top: top, GitDir: gitDir}, nil
}

// hasHead reports whether HEAD holds what git demands: else git takes its folder for none of its own.
func hasHead(gitDir string) bool {
	text, err := ReadName(filepath.Join(gitDir, "HEAD"))
	if err != nil {
		// Any other error is left to the reader of the file, which can report it.
		return !Absent(err) && !errors.Is(err, ErrNotFile)
	}
	ref, symbolic := strings.CutPrefix(string(text), "ref:")
	if symbolic {
		return strings.HasPrefix(strings.TrimSpace(ref), "refs/")
	}
	return IsHash(strings.TrimSpace(string(text)))
}

// Places lists the worktrees that stand, the main one first, without a process.
func (s *Site) Places() ([]Place, error) {
	var all []Place
	reals := RealPaths{}
	if p, err := s.place(s.Home, reals); err == nil {
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
			// It was removed meanwhile.
			continue
		}
		dot := Resolve(gitDir, strings.TrimSpace(string(text)))
		// Home is itself a linked worktree in a bare repository, and is in the list already.
		if p, err := s.place(filepath.Dir(dot), reals); err == nil && p.GitDir == gitDir && p.Top != s.Home {
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
	reals := RealPaths{}
	top := reals.Of(tree)
	all := filepath.Join(s.Common, "worktrees")
	own, err := s.place(tree, reals)
	linked := err == nil && filepath.Dir(own.GitDir) == all
	// Both directions agree, so this is its folder; one direction alone may lead to that of another worktree.
	if linked && s.leadsTo(own.GitDir, reals) == top {
		return own.GitDir
	}
	if gitDir := s.registration(top, reals); gitDir != "" {
		return gitDir
	}
	// A worktree that was moved by hand still leads here, while the place that git knows is empty.
	if linked {
		if _, err := os.Lstat(filepath.Join(s.leadsTo(own.GitDir, reals), ".git")); err != nil {
			return own.GitDir
		}
	}
	// Git names the folder of a new worktree after it.
	return filepath.Join(all, filepath.Base(tree))
}

// Registration returns the folder in which git keeps what is the worktree's own that was registered at a path, "" if
// none was.
func (s *Site) Registration(path string) string {
	reals := RealPaths{}
	return s.registration(reals.Of(path), reals)
}

func (s *Site) registration(top string, reals RealPaths) string {
	all := filepath.Join(s.Common, "worktrees")
	// Without the folder, there are no linked worktrees.
	links, _ := os.ReadDir(all)
	for _, link := range links {
		if gitDir := filepath.Join(all, link.Name()); s.leadsTo(gitDir, reals) == top {
			return gitDir
		}
	}
	return ""
}

// leadsTo returns the worktree to which git's folder of one leads, "" if that cannot be read or is not true.
func (s *Site) leadsTo(gitDir string, reals RealPaths) string {
	text, err := ReadName(filepath.Join(gitDir, "gitdir"))
	if err != nil {
		return ""
	}
	top := reals.Of(filepath.Dir(Resolve(gitDir, strings.TrimSpace(string(text)))))
	// What an agent has written does not count unless it is true.
	if c := s.Claim(gitDir, top); c.Hostile && !c.Right {
		return ""
	}
	return top
}

// Registrations returns the folders in which git keeps what is the worktrees' own, by the places where they say that the
// worktrees are, whether or not that is true.
func (s *Site) Registrations() map[string]string {
	reals, found := RealPaths{}, map[string]string{}
	all := filepath.Join(s.Common, "worktrees")
	links, _ := os.ReadDir(all) // none: nothing leads from there
	for _, link := range links {
		gitDir := filepath.Join(all, link.Name())
		if text, err := ReadName(filepath.Join(gitDir, "gitdir")); err == nil {
			found[reals.Of(filepath.Dir(Resolve(gitDir, strings.TrimSpace(string(text)))))] = gitDir
		}
	}
	return found
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
	// What does not exist yet, such as a planned worktree, still has a real parent.
	if parent := filepath.Dir(abs); parent != abs {
		return filepath.Join(RealPath(parent), filepath.Base(abs))
	}
	return abs
}

// RealPaths finds the real paths of worktrees that are beside each other, and looks once at what is above them: it maps
// folders to where they really are. It is for one look at them, since links may change.
type RealPaths map[string]string

// Of is RealPath.
func (r RealPaths) Of(path string) string {
	abs, err := filepath.Abs(path)
	// On Windows, a name has other forms too, such as short ones.
	if err != nil || runtime.GOOS == "windows" {
		return RealPath(path)
	}
	if info, err := os.Lstat(abs); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return RealPath(abs)
	}
	folder := filepath.Dir(abs)
	real, known := r[folder]
	if !known {
		real = RealPath(folder)
		r[folder] = real
	}
	return filepath.Join(real, filepath.Base(abs))
}
