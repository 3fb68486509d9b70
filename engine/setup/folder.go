package setup

import (
	"context"
	"errors"
	"path/filepath"

	"chant/engine"
)

// OpenFolder opens the project around a folder for reading commands, which need no project. Where there is none, it
// returns an empty one, which exists only for reading. Its settings are those of .chant/config.md, if there is one. Errors: those of
// engine.Open but for a missing project.
func (w *Workspaces) OpenFolder(ctx context.Context, dir string) (*engine.Project, error) {
	p, err := engine.Open(dir, w.Options)
	var missing *engine.Error
	// Any other error is about a project that exists.
	if !errors.As(err, &missing) || missing.Code != engine.NotFound {
		return p, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, engine.Wrap(err, "")
	}
	if p, err = w.openBlank(dir, w.Options); err == nil {
		p.Folder = dir
	}
	return p, err
}
