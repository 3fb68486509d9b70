package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// discover walks upward to the first folder that holds a ".git".
func discover(start string) (top, gitDir string, err error) {
	for dir := start; ; dir = filepath.Dir(dir) {
		gitDir, err = gitDirOf(dir, RealPaths{})
		if err == nil {
			return dir, gitDir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", "", err
		}
		// A folder named .git is the git folder of the worktree around it, not a bare repository.
		if filepath.Base(dir) != ".git" && IsGitDir(dir) {
			return "", "", ErrBare
		}
		if dir == filepath.Dir(dir) {
			return "", "", ErrNotRepository
		}
	}
}

// gitDirOf is the git folder of the worktree whose top is dir: its ".git", or where that
// file points. fs.ErrNotExist means that dir is no such top.
func gitDirOf(dir string, reals RealPaths) (string, error) {
	dot := filepath.Join(dir, ".git")
	info, err := os.Stat(dot)
	if err != nil {
		return "", err
	}
	target := dot
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			// Git passes by what is not a file.
			return "", fs.ErrNotExist
		}
		text, err := ReadName(dot)
		if err != nil {
			return "", err
		}
		rest, ok := strings.CutPrefix(string(text), "gitdir: ")
		if !ok {
			return "", fmt.Errorf("%q holds no gitdir line: %w", dot, ErrNotRepository)
		}
		target = Resolve(dir, strings.TrimRight(rest, "\r\n"))
	}
	real := reals.Of(target)
	// A worktree whose repository is gone is an error: the repository around it would be the wrong one.
	if _, err := os.Stat(real); err != nil {
		return "", fmt.Errorf("%q points to %q, which is gone: %w", dot, target, ErrNotRepository)
	}
	if !IsGitDir(real) {
		// Git too passes by a ".git" that is not a repository.
		return "", fs.ErrNotExist
	}
	return real, nil
}

// IsGitDir reports whether dir is the git folder of a main or linked worktree.
func IsGitDir(dir string) bool {
	if info, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil || info.IsDir() {
		return false
	}
	// The git folder of a linked worktree has its objects elsewhere.
	if _, err := os.Stat(filepath.Join(dir, "commondir")); err == nil {
		return true
	}
	objects, err := os.Stat(filepath.Join(dir, "objects"))
	return err == nil && objects.IsDir()
}

// commonDir is what the git folder shares with the other worktrees' folders.
func commonDir(gitDir string, reals RealPaths) (string, error) {
	text, err := ReadName(filepath.Join(gitDir, "commondir"))
	if errors.Is(err, fs.ErrNotExist) {
		return gitDir, nil
	}
	if err != nil {
		return "", err
	}
	common := reals.Of(Resolve(gitDir, strings.TrimRight(string(text), "\r\n")))
	if _, err := os.Stat(common); err != nil {
		return "", fmt.Errorf("the repository of %q is gone: %w", gitDir, ErrNotRepository)
	}
	return common, nil
}

// mainTop is the top of the main worktree, or of the one that stands in for it.
func mainTop(top, gitDir, common string, form Format) (string, error) {
	switch {
	// A submodule has its git folder below that of the repository around it.
	case form.worktree != "":
		return filepath.EvalSymlinks(Resolve(common, form.worktree))
	case form.Bare:
		asked := top
		// A folder whose .git leads to the bare repository is not a worktree of its own.
		if gitDir == common {
			asked = ""
		}
		if home := bareHome(common, asked); home != "" {
			return home, nil
		}
		return "", ErrBare
	case gitDir == common:
		return top, nil
	case filepath.Base(common) == ".git":
		return filepath.Dir(common), nil
	default:
		// Made with --separate-git-dir: nothing there leads back to the main worktree.
		return "", fmt.Errorf("the main worktree of %q is recorded nowhere, open it there: %w", common, ErrBare)
	}
}

// Resolve returns path as seen from dir, cleaned.
func Resolve(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
