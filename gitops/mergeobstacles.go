package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/layout"
	"chant/gitops/objectstore"
	"chant/gitops/revision"
	"chant/gitops/rootdir"
)

// This file finds what git overwrites or removes without a question where it brings a worktree from one commit to another:
// files of other repositories inside of the worktree, into which it does not look, links in the place of folders, and folders of
// submodules.
//
// Decisions:
//
// 2026-11-30: every changed path is looked at, and what would write into or remove any of these is refused, in checkouts and
// in worktrees of runs. Rejected: asking "git ls-files --others" about added files alone, as before, which lists nothing of what
// another repository has; and refusing each landing that removes a submodule, since git leaves its folder if nothing takes its
// place.

// obstacle is something in a worktree that is in the way of changes, and that git would not keep.
type obstacle struct {
	path string // slash-separated from the worktree
	kind obstacleKind
}

// obstacleKind is the noun of an obstacle for people.
type obstacleKind string

const (
	aRepository obstacleKind = "repository"
	aWorktree   obstacleKind = "worktree" // of this repository
	aSubmodule  obstacleKind = "submodule"
	aLink       obstacleKind = "link"
	aFolder     obstacleKind = "folder" // of a submodule that is not checked out
)

// unobstructed returns a *ConflictError if obstacles in a worktree, which has a commit checked out, are in the way of changes.
func (mr *Merger) unobstructed(ctx context.Context, op string, p layout.Place, from string, changes []revision.Change) error {
	found, err := mr.obstacles(ctx, p, from, changes)
	if err != nil || len(found) == 0 {
		return err
	}
	e := &ConflictError{Op: op, Aside: found[0].aside(op, p.Top)}
	var names []string
	for _, o := range found {
		e.Files = append(e.Files, o.path)
		names = append(names, fmt.Sprintf("the %s %q", o.kind, o.path))
	}
	verb := " is in the way"
	if len(names) > 1 {
		verb = " are in the way"
	}
	more := ""
	if n := len(names) - shownFiles; n > 0 {
		names, more = names[:shownFiles], fmt.Sprintf(" and %d more", n)
	}
	e.Msg = strings.Join(names, ", ") + more + verb
	return e
}

// aside is the command that moves an obstacle out of the way and keeps all that it holds. "git stash" takes none of them.
func (o obstacle) aside(op, top string) string {
	here := filepath.Join(top, filepath.FromSlash(o.path))
	// Not beside it: a folder above it may have to become a file.
	away := filepath.Join(filepath.Dir(top), path.Base(o.path)+".kept")
	switch {
	case o.kind == aWorktree:
		return fmt.Sprintf("git worktree move %q %q", here, away)
	case o.kind == aLink:
		// Beside it, a relative link still leads to the same.
		return fmt.Sprintf("mv %q %q", here, here+".kept")
	case o.kind == aSubmodule && op == fastForward:
		// A submodule that is moved no longer finds its git folder. In the worktree of a run its settings are an agent's, and
		// git must not be started in it.
		return fmt.Sprintf("git -C %q stash --all && git -C %q submodule deinit -- %q", here, top, o.path)
	}
	return fmt.Sprintf("mv %q %q", here, away)
}

// obstacles lists what is in the way of changes, sorted by path.
func (mr *Merger) obstacles(ctx context.Context, p layout.Place, from string, changes []revision.Change) (found []obstacle, err error) {
	s := survey{seen: map[string]obstacleKind{}, changes: map[string]revision.Change{}}
	for _, c := range changes {
		s.changes[c.Path] = c
	}
	kinds := map[string]obstacleKind{}
	err = rootdir.In(p.Top, func(root *os.Root) error {
		s.root = root
		for _, c := range changes {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			at, kind := s.above(c.Path)
			if kind == "" {
				at, kind, err = s.inPlaceOf(c)
			}
			if err != nil {
				return err
			}
			if kind != "" {
				kinds[at] = kind
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for at, kind := range kinds {
		entry, missing := mr.Revs.Entry(ctx, from, at)
		switch {
		case missing != nil && !errors.Is(missing, layout.ErrNotFound):
			err = missing
		// A link, and a folder with files, that are committed are git's own affair: it looks into them.
		case missing == nil && (kind == aRepository && entry.Dir || kind == aLink && entry.Mode == objectstore.ModeSymlink):
			kind = ""
		case kind == aRepository:
			kind = mr.kindOf(p, at, s.changes[at])
		}
		if err != nil {
			return nil, err
		}
		if kind != "" {
			found = append(found, obstacle{at, kind})
		}
	}
	slices.SortFunc(found, func(a, b obstacle) int { return strings.Compare(a.path, b.path) })
	return found, nil
}

// kindOf is the kind of a repository at a path with a change.
func (mr *Merger) kindOf(p layout.Place, at string, c revision.Change) obstacleKind {
	full := filepath.Join(p.Top, filepath.FromSlash(at))
	info, err := os.Lstat(filepath.Join(full, ".git"))
	switch {
	case err != nil:
		// A bare one.
		return aRepository
	case mr.Site.Registration(full) != "":
		return aWorktree
	case c.WasGitlink && info.Mode().IsRegular():
		return aSubmodule
	}
	return aRepository
}

// survey looks at the places of changes.
type survey struct {
	root    *os.Root
	seen    map[string]obstacleKind    // what was found at folders
	changes map[string]revision.Change // by path
}

const (
	plainFolder obstacleKind = "-" // a folder that is no repository
	noFolder    obstacleKind = ""  // nothing, or what git itself does not overwrite
)

// above returns the first obstacle among the folders above a path.
func (s survey) above(name string) (at string, kind obstacleKind) {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		at = name[:i]
		kind, known := s.seen[at]
		if !known {
			kind = s.lookAt(at)
			s.seen[at] = kind
		}
		if kind != plainFolder {
			return at, kind
		}
	}
	return "", noFolder
}

// lookAt looks at what is in the place of a folder.
func (s survey) lookAt(at string) obstacleKind {
	info, err := s.root.Lstat(filepath.FromSlash(at))
	switch {
	// Git itself reports what it cannot reach.
	case err != nil:
		return noFolder
	case info.Mode()&fs.ModeSymlink != 0:
		return aLink
	case !info.IsDir():
		return noFolder
	case s.isRepository(at):
		return aRepository
	}
	return plainFolder
}

// isRepository reports whether a folder is one, with or without a working tree.
func (s survey) isRepository(at string) bool {
	has := func(name string) bool {
		_, err := s.root.Lstat(filepath.Join(filepath.FromSlash(at), name))
		return err == nil
	}
	return has(".git") || has("HEAD") && has("objects") && has("refs")
}

// inPlaceOf returns the first obstacle at or below the path of a change, whose folders above are none.
func (s survey) inPlaceOf(c revision.Change) (at string, kind obstacleKind, err error) {
	leaves := c.WasGitlink && (c.Status == 'T' || s.becomesFile(c.Path))
	switch {
	// A new submodule takes the folder that is there as it is.
	case c.Gitlink:
		return "", noFolder, nil
	// Where a file is only changed or removed, git itself refuses to lose anything else in its place.
	case !leaves && c.Status != 'A':
		return "", noFolder, nil
	}
	info, err := s.root.Lstat(filepath.FromSlash(c.Path))
	if err != nil || !info.IsDir() {
		return "", noFolder, nil //nolint:nilerr // git reports what it cannot reach
	}
	if leaves {
		return s.submodule(c.Path)
	}
	return s.below(c.Path)
}

// becomesFile reports whether a folder above a path becomes a file, with which all that it holds goes.
func (s survey) becomesFile(name string) bool {
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		if s.changes[at].Status == 'A' {
			return true
		}
	}
	return false
}

// submodule returns the folder of a submodule if it holds anything.
func (s survey) submodule(name string) (at string, kind obstacleKind, err error) {
	entries, err := rootdir.List(s.root, name)
	switch {
	case err != nil || len(entries) == 0:
		return "", noFolder, err
	case s.isRepository(name):
		return name, aRepository, nil
	}
	return name, aFolder, nil
}

// below returns the first repository at or below a folder that becomes a file. "git ls-files --others" lists all else.
func (s survey) below(name string) (at string, kind obstacleKind, err error) {
	folder, err := s.root.OpenRoot(filepath.FromSlash(name))
	if err != nil {
		return "", noFolder, err
	}
	defer folder.Close()
	err = rootdir.Walk(folder, func(file string, _ fs.FileMode) error {
		// File systems without case take each spelling for git's folder.
		if strings.EqualFold(path.Base(file), ".git") {
			at, kind = path.Join(name, path.Dir(file)), aRepository
			return fs.SkipAll
		}
		return nil
	})
	if errors.Is(err, fs.SkipAll) {
		err = nil
	}
	return at, kind, err
}
