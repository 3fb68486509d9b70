package setup

import (
	"context"
	"errors"
	"path/filepath"

	"chant/engine"
	"chant/engine/library"
)

// OpenFolder opens the project around a folder for reading commands, which need no project. Where there is none, it
// returns an empty one, which exists only for reading, whose commands are those of the nearest folder above that has an
// .agent folder, or of the folder itself. Its settings are those of .chant/config.md, if there is one. Errors: those of
// engine.Open but for a missing project.
func (w *Workspaces) OpenFolder(ctx context.Context, dir string) (*engine.Project, error) {
	p, err := engine.Open(dir, w.Options)
	var missing *engine.Error
	if !errors.As(err, &missing) || missing.Code != engine.NotFound {
		return p, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	place := dir
	for above := dir; ; above = filepath.Dir(above) {
		if engine.Exists(filepath.Join(above, library.AgentsDir)) {
			place = above
			break
		}
		if filepath.Dir(above) == above {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, engine.Wrap(err, "")
	}
	if p, err = w.blank(dir, w.Options); err == nil { // the repository is that of dir, wherever commands are
		p.Folder = place
	}
	return p, err
}
