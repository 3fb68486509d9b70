package view

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"chant/engine"
	"chant/engine/spec"
)

// IDs lists the ids of all active specs in order, broken ones among them, without
// reading the files.
func IDs(ctx context.Context, p *engine.Project) ([]string, error) {
	ids, err := p.Store.IDs(ctx)
	slices.SortFunc(ids, spec.Compare)
	return ids, engine.Wrap(err, "")
}

// Title reads the title of a spec, "" where its file is broken or gone.
func Title(ctx context.Context, p *engine.Project, id string) string {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return ""
	}
	return s.Title
}

// LogSize is the size of a spec's log in bytes, 0 when it has none yet. Errors:
// NotFound, Usage for what names no spec.
func LogSize(ctx context.Context, p *engine.Project, text string) (int64, error) {
	id, err := engine.Find(ctx, p, text)
	if err != nil {
		return 0, engine.Wrap(err, text)
	}
	info, err := os.Stat(p.Store.LogPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, engine.Wrap(err, id)
	}
	return info.Size(), nil
}
