package work

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chant/engine"
	"chant/engine/format/adopted"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// deltasOf returns what applies the change of OpenSpec that a driver adopts, and moves it to the archive, as a landing
// does. There is nothing to do for any other driver. Error: Conflict with all deltas that cannot be applied.
func deltasOf(p *engine.Project, s *spec.File) ([]store.Write, error) {
	a := s.Adopted()
	if a == nil || a.Kind != adopted.OpenSpec || a.Moved || len(s.Fields.Part) > 0 {
		return nil, nil
	}
	root, err := os.OpenRoot(engine.Home(p))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	plan, err := adopted.Archive(root.FS(), a.Dir, p.Now())
	if rejected, ok := errors.AsType[*adopted.RejectedError](err); ok {
		return nil, engine.Fail(engine.Conflict, next.Lint.On(s.ID), "the change %q cannot be applied to the specs: %s", a.Dir, strings.Join(rejected.Problems, "; "))
	}
	if err != nil {
		return nil, err
	}
	var out []store.Write
	for _, f := range plan.Files {
		old, err := fs.ReadFile(root.FS(), f.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		// Nil would mean that the file does not exist.
		if err == nil && old == nil {
			old = []byte{}
		}
		out = append(out, store.Write{Path: f.Path, Old: old, Next: f.Content})
	}
	return out, nil
}

// removeEmpty removes the folders that files have left empty.
func removeEmpty(p *engine.Project, writes []store.Write) {
	for _, w := range writes {
		if w.Next != nil {
			continue
		}
		for dir := path.Dir(w.Path); dir != "."; dir = path.Dir(dir) {
			if os.Remove(filepath.Join(engine.Home(p), filepath.FromSlash(dir))) != nil {
				// The folder holds something.
				break
			}
		}
	}
}
