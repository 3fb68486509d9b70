// Package archive defines where the file of a spec may be: in the folder of active specs, in the archive in the folder
// of its day, or directly in the archive, as in older projects.
//
// It reads a file system that callers pass in, the `.chant` folder of a worktree or of a commit, and returns paths. It
// never moves anything.
//
// # Rules
//
//   - A path is built from the id alone, so it can be predicted and never collides.
//   - An id is found anywhere below the archive.
//   - If an id has several files, the active one counts first, then the one in the folder of its day.
package archive

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Folders below `.chant`.
const (
	Active = "specs"
	Root   = "archive"
)

var day = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)
})

// ActivePath is the path of an active spec, below `.chant`.
func ActivePath(id string) string { return path.Join(Active, id+".md") }

// Path is the path at which a spec is archived, below `.chant`. An id without a day goes to the
// folder "undated".
func Path(id string) string {
	folder := day().FindString(id)
	if folder == "" {
		folder = "undated"
	}
	return path.Join(Root, folder, id+".md")
}

// Places lists the paths below `.chant` at which chant puts, or older versions put, the file of a spec, in the order in
// which they count.
func Places(id string) []string {
	return []string{ActivePath(id), Path(id), path.Join(Root, id+".md")}
}

// Archived returns the id of the spec whose archived file has this path below `.chant`, and false
// for every other path.
func Archived(name string) (id string, ok bool) {
	id, ok = strings.CutSuffix(path.Base(name), ".md")
	// A name that begins with a dot is of an editor or of a write under way.
	return id, ok && strings.HasPrefix(name, Root+"/") && !strings.HasPrefix(id, ".") && id != ""
}

// Move is one file that changes its place, both paths below `.chant`.
type Move struct{ ID, From, To string }

// Plan lists the moves that archive the ids.
func Plan(ids []string) []Move {
	moves := make([]Move, len(ids))
	for i, id := range ids {
		moves[i] = Move{id, ActivePath(id), Path(id)}
	}
	return moves
}

// Find returns the path of a spec's file below `.chant`, active or archived. It returns an error that is fs.ErrNotExist
// if there is none. fsys is the `.chant` folder.
func Find(fsys fs.FS, id string) (string, error) {
	// Nearly all specs are at one of these, and the walk over the archive costs more with each one in it.
	for _, name := range []string{ActivePath(id), Path(id)} {
		info, err := fs.Stat(fsys, name)
		if err == nil && info.Mode().IsRegular() {
			return name, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	index, err := Index(fsys)
	if err != nil {
		return "", err
	}
	if name, ok := index[id]; ok {
		return name, nil
	}
	return "", &fs.PathError{Op: "find", Path: ActivePath(id), Err: fs.ErrNotExist}
}

// Index maps the id of each archived spec to its path below `.chant`. fsys is the `.chant` folder;
// the index is empty if it has no archive.
func Index(fsys fs.FS) (map[string]string, error) {
	found := map[string]string{}
	err := fs.WalkDir(fsys, Root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		id, ok := Archived(name)
		if !ok || entry.IsDir() {
			return nil
		}
		// The file in the folder of its day counts, and one directly in the archive least.
		if old, dup := found[id]; dup && (old == Path(id) || path.Dir(name) == Root) {
			return nil
		}
		found[id] = name
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	return found, err
}
