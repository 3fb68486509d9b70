package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"chant/engine/spec"
)

// IDs lists the ids of all active specs in order, broken ones among them, without
// reading the files.
func (e *Engine) IDs(ctx context.Context) ([]string, error) {
	ids, err := e.store.IDs(ctx)
	slices.SortFunc(ids, spec.Compare)
	return ids, wrap(err, "")
}

// Title reads the title of a spec, "" where its file is broken or gone.
func (e *Engine) Title(ctx context.Context, id string) string {
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return ""
	}
	return s.Title
}

// LogSize is the size of a spec's log in bytes, 0 when it has none yet. Errors:
// NotFound, Usage for what names no spec.
func (e *Engine) LogSize(ctx context.Context, text string) (int64, error) {
	id, err := e.find(ctx, text)
	if err != nil {
		return 0, wrap(err, text)
	}
	info, err := os.Stat(e.store.LogPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, wrap(err, id)
	}
	return info.Size(), nil
}
