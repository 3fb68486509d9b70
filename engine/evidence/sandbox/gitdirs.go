package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"chant/gitops/layout"
	"chant/gitops/rootdir"
)

// looseDirs are the folders in which git keeps loose objects, by the first byte of their names.
func (s *Sandbox) looseDirs() []string {
	out := make([]string, 256)
	for i := range out {
		out[i] = filepath.Join(s.Repo.CommonDir(), objectsDir, fmt.Sprintf("%02x", i))
	}
	return out
}

// branchDirs are the folders in which git keeps the branches of runs, and their logs.
func (s *Sandbox) branchDirs() []string {
	common := s.Repo.CommonDir()
	ref := filepath.Dir(filepath.FromSlash("refs/heads/" + s.Store.Branch("x")))
	return []string{filepath.Join(common, ref), filepath.Join(common, "logs", ref)}
}

// modulesDir is the folder in which git keeps the repositories of a worktree's submodules; none without submodules. Git makes
// links there, and nowhere else in what it keeps of a worktree.
func (s *Sandbox) modulesDir(tree string) []string {
	folder := filepath.Join(s.Repo.AdminDir(tree), "modules")
	// Without submodules git makes no links, so none are allowed.
	if !pathExists(filepath.Join(tree, ".gitmodules")) && !pathExists(folder) {
		return nil
	}
	return []string{folder}
}

// makeModules makes such folders, whatever is in their places.
func makeModules(dirs []string) error {
	for _, dir := range dirs {
		err := rootdir.In(filepath.Dir(dir), func(root *os.Root) error {
			name := filepath.Base(dir)
			// An existing folder stays: git may have repositories in it.
			if info, err := root.Lstat(name); err == nil && info.IsDir() {
				return nil
			}
			if err := rootdir.RemoveAll(root, name); err != nil {
				return err
			}
			return root.Mkdir(name, 0o755)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

const objectsDir = "objects"

// makeGitDirs creates folders of git that are missing: a path that does not exist cannot be allowed.
func makeGitDirs(dirs []string) error {
	there := map[string]bool{}
	listed := ""
	for _, dir := range dirs {
		// The folders of loose objects have one parent, so one listing is enough for 256 of them.
		if parent := filepath.Dir(dir); parent != listed {
			entries, err := os.ReadDir(parent)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			for _, e := range entries {
				there[filepath.Join(parent, e.Name())] = true
			}
			listed = parent
		}
		if !there[dir] {
			if err := layout.MkdirAll(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// The names of files that keep git from removing an empty folder. Among loose objects, git takes one for an object that is
// being written, and removes it when it is old; among branches, for a lock, and no branch can have that name.
const (
	objectKeeper = "tmp_obj_chant"
	branchKeeper = "kept-by-chant.lock"
)

// keeperLife is how long a keeper counts as new. By default git removes what is two weeks old.
const keeperLife = 7 * 24 * time.Hour

// keepGitDirs puts a file into each folder, so that git does not remove it while agents work: a rule of the wall belongs to
// the folder, and one that git makes anew under the same name has none.
func keepGitDirs(dirs []string, now time.Time) error {
	for _, dir := range dirs {
		name := branchKeeper
		// By the parent, since both kinds of folders have keepers of their own.
		if filepath.Base(filepath.Dir(dir)) == objectsDir {
			name = objectKeeper
		}
		if err := keepFile(filepath.Join(dir, name), now); err != nil {
			return err
		}
	}
	return nil
}

// keepFile makes an empty file, or makes it new again.
func keepFile(path string, now time.Time) error {
	switch info, err := os.Lstat(path); {
	// Not each time: a hundred runs would write 256 files each.
	case err == nil && now.Sub(info.ModTime()) < keeperLife:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	mode := fs.FileMode(0o644)
	return rootdir.In(filepath.Dir(path), func(root *os.Root) error {
		if info, err := root.Stat("."); err == nil && info.Mode()&fs.ModeSetgid != 0 {
			// It is a shared repository.
			mode |= info.Mode().Perm() & 0o020
		}
		return rootdir.Write(root, filepath.Base(path), nil, mode)
	})
}
