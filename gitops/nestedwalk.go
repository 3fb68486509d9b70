package gitops

import (
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/layout"
)

// maxWalk bounds how many files and folders of a worktree are listed before git is asked instead: it does not look into
// ignored folders, which may be large.
const maxWalk = 12000

// hasNone reports whether surely no repository is inside a worktree, ignored or not. It starts no process: git would be
// asked three times in each run, behind the wall, which takes two processes each time.
func hasNone(top string) bool {
	left := maxWalk
	return noneBelow(top, true, &left)
}

// noneBelow does so for a folder, and counts down.
func noneBelow(dir string, isTop bool, left *int) bool {
	entries, err := os.ReadDir(dir)
	// What was not seen may be a repository, so git is asked.
	if *left -= len(entries); err != nil || *left < 0 {
		return false
	}
	for _, e := range entries {
		switch {
		// File systems without case take each spelling for git's folder.
		case strings.EqualFold(e.Name(), ".git"):
			if !isTop {
				return false
			}
		// A bare repository has no ".git" but these files in itself.
		case strings.EqualFold(e.Name(), "HEAD") && !isTop && layout.IsGitDir(dir):
			return false
		case e.IsDir() && !noneBelow(filepath.Join(dir, e.Name()), false, left):
			return false
		}
	}
	return true
}
