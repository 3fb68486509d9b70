package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Site is where a repository is: absolute paths without symbolic links, and how it is stored.
type Site struct {
	Home   string // top of the main worktree, or of the one that stands in for it
	Dir    string // top of the worktree from which the repository was found
	Common string // what all worktrees share: objects, refs, configuration
	Format Format
	apart  bool // nothing in Home leads to Common
}

// Apart returns the site of a repository whose worktree has nothing of git: its git folder is elsewhere.
func Apart(folder, gitDir string) (*Site, error) {
	form, err := readFormat(gitDir)
	if err != nil {
		return nil, err
	}
	top := RealPath(folder)
	return &Site{Home: top, Dir: top, Common: RealPath(gitDir), Format: form, apart: true}, nil
}

// Find finds the repository that dir lies in, like git: upward from dir, through ".git"
// files, symbolic links resolved. Errors: ErrNotRepository, ErrBare.
func Find(dir string) (*Site, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	start, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", dir, errors.Join(ErrNotRepository, err))
	}
	s, err := findFrom(start)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", dir, err)
	}
	return s, nil
}

func findFrom(start string) (*Site, error) {
	top, gitDir, err := discover(start)
	if err != nil {
		return nil, err
	}
	common, err := commonDir(gitDir, RealPaths{})
	if err != nil {
		return nil, err
	}
	form, err := readFormat(common)
	if err != nil {
		return nil, err
	}
	s := &Site{Dir: top, Common: common, Format: form}
	if s.Home, err = mainTop(top, gitDir, common, form); err != nil {
		return nil, err
	}
	if gitDir == common {
		s.Dir = s.Home
	}
	return s, nil
}

// Gone reports whether the repository was removed or moved away since it was opened: what git knows
// a repository by is no longer there.
func (s *Site) Gone() bool {
	_, err := os.Lstat(filepath.Join(s.Common, "HEAD"))
	return errors.Is(err, fs.ErrNotExist)
}

// Shallow reports whether the history of the repository is cut off, as in a clone made with
// --depth.
func (s *Site) Shallow() bool {
	info, err := os.Stat(filepath.Join(s.Common, "shallow"))
	return err == nil && info.Size() > 0
}
