// Package archive knows where finished specs are put away:
// `archive/YYYY-MM-DD/<id>.md`, by the day in the id.
//
// It is pure: it looks at a file system it is given and answers with paths and
// moves; it never moves anything.
//
// # Laws
//
//   - A path is built from the id alone, so it can be guessed and never collides.
//   - An id is found wherever it lies below the archive, also directly in it, as
//     older projects have it.
//   - When an id lies there twice, the dated folder wins.
package archive

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// Root is the folder of the archive below `.chant`.
const Root = "archive"

var day = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)

// Path is where the spec with this id belongs, below `.chant`. An id without a
// day goes to the folder "undated".
func Path(id string) string {
	folder := day.FindString(id)
	if folder == "" {
		folder = "undated"
	}
	return path.Join(Root, folder, id+".md")
}

// Move is one file that changes its place, both paths below `.chant`.
type Move struct{ ID, From, To string }

// Plan says which files move to put the ids away.
func Plan(ids []string) []Move {
	moves := make([]Move, len(ids))
	for i, id := range ids {
		moves[i] = Move{id, "specs/" + id + ".md", Path(id)}
	}
	return moves
}

// Index finds every archived spec: its id and its path below `.chant`. fsys is
// the `.chant` folder; no archive is an empty index.
func Index(fsys fs.FS) (map[string]string, error) {
	found := map[string]string{}
	err := fs.WalkDir(fsys, Root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		id, ok := strings.CutSuffix(entry.Name(), ".md")
		if !ok || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return nil
		}
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
