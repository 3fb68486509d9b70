package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Site is where a repository is: absolute paths without symbolic links, and how it is stored.
type Site struct {
	Home   string // top of the main worktree, or of the one that stands in for it
	Dir    string // top of the worktree from which the repository was found
	Folder string // another name of Home, by a folder in it; "" for none
	Common string // what all worktrees share: objects, refs, configuration
	Format Format
	// Claims judges what the folder in which git keeps what is a worktree's own says, by the name of the folder and the place
	// at which it says that the worktree is. nil: only the person writes such folders.
	Claims func(admin, tree string) Claim

	apart bool // nothing in Home leads to Common
}

// Claim is what is true of the folder in which git keeps what is a worktree's own.
type Claim struct {
	Hostile bool   // agents or criteria can write to it: what it says beside this does not count
	Right   bool   // the worktree is where it says
	Branch  string // the only one that the worktree can have for others, "" for none
}

// Claim judges what a folder says of a worktree.
func (s *Site) Claim(gitDir, tree string) Claim {
	// Only the person writes the repository's own folder.
	if s.Claims == nil || gitDir == s.Common {
		return Claim{}
	}
	return s.Claims(filepath.Base(gitDir), tree)
}

// MayHave reports whether a worktree can have a branch checked out for others, if its HEAD says so.
func (s *Site) MayHave(p Place, branch string) bool {
	c := s.Claim(p.GitDir, p.Top)
	return !c.Hostile || c.Branch == branch
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

// Find finds the repository that dir lies in, like git: upward from dir, through ".git" files, symbolic links resolved. But
// what is below the worktrees of runs is of the repository around them, whatever the files there say, which are an agent's:
// another repository would bring settings of its own, and the programs that they name.
// Errors: ErrNotRepository, ErrBare.
func Find(dir string) (*Site, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	start, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", dir, errors.Join(ErrNotRepository, err))
	}
	// What is below the worktrees of runs is an agent's: a repository put there would bring settings and the programs that
	// they name.
	if home, tree := runTree(start); home != "" {
		// A project may be in a folder of the repository.
		if s, err := findFrom(home); err == nil && (s.Home == home || strings.HasPrefix(home, s.Home+string(filepath.Separator))) {
			if _, err := s.Place(tree); err == nil {
				s.Dir = tree
			}
			return s, nil
		}
	}
	s, err := findFrom(start)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", dir, err)
	}
	return s, nil
}

// runTree returns the worktree of a run in which a path is, and the folder whose .chant it is in; "" if it is in none. Of
// several, one in another, only the outermost one is not an agent's.
func runTree(path string) (home, tree string) {
	const trees = string(filepath.Separator) + ".chant" + string(filepath.Separator) + "worktrees" + string(filepath.Separator)
	// The first match is the outermost folder: of several, one in another, only that one is not an agent's.
	home, below, found := strings.Cut(path, trees)
	if !found {
		return "", ""
	}
	name, _, _ := strings.Cut(below, string(filepath.Separator))
	return home, home + trees + name
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
	// In a submodule the folder with ".git" need not be the top that its settings name.
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

// ErrNotRepository says that a folder is in no repository, or is not (any more) the
// worktree it is used as.
var ErrNotRepository = errors.New("not a git repository")

// ErrBare says that the repository has no main worktree.
var ErrBare = errors.New("the repository is bare, it has no main worktree")

// ErrNotFound says that a ref, path, object or note does not exist.
var ErrNotFound = errors.New("not found")
