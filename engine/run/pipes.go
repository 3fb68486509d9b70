package run

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"chant/engine/store"
)

// openPipes takes away what would hang whoever reads it, git first of all: a pipe, a
// socket or a device that an agent has put where git reads its rules, or in the place of
// its spec. Nothing is in such a file that could be lost. It returns what it took, for
// people.
func (r *Run) openPipes(ctx context.Context) ([]string, error) {
	var taken []string
	err := filepath.WalkDir(r.Tree, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil // git tells of a folder that cannot be read
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.Type()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) == 0 || !r.read(path):
			return nil
		}
		rel, err := filepath.Rel(r.Tree, path)
		if err != nil {
			return err
		}
		taken = append(taken, fmt.Sprintf("%s was replaced by what is no file and would hang whoever reads it", filepath.ToSlash(rel)))
		return os.Remove(path)
	})
	return taken, err
}

// read reports whether git or chant would open a file of the tree by its name.
func (r *Run) read(path string) bool {
	return slices.Contains([]string{".gitignore", ".gitattributes", ".gitmodules", ".mailmap"}, filepath.Base(path)) ||
		path == filepath.Join(r.Tree, filepath.FromSlash(store.SpecPath(r.Job.ID)))
}
