package site

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"

	"chant/engine"
	"chant/engine/view/pages"
)

// InitInput says whether a theme replaces the project's own.
type InitInput struct {
	Overwrite bool `json:"overwrite,omitempty" jsonschema:"Replace files of the project that differ"`
}

// InitResult lists files below the project's folder.
type InitResult struct {
	Made     []string `json:"made"`
	Replaced []string `json:"replaced"`
	Left     []string `json:"left"` // the project's own, which differ; with Overwrite those that no commit has
}

// Init copies chant's templates and styles to the folder in which a project's own replace them. What is not changed there can
// be removed again: chant's own is newer after an update. Error: State inside a run.
func Init(ctx context.Context, p *engine.Project, in InitInput) (InitResult, error) {
	r := InitResult{Made: []string{}, Replaced: []string{}, Left: []string{}}
	if err := pages.MayBuild(p); err != nil {
		return r, err
	}
	texts, err := filesIn(templateFiles, "templates", ".html")
	if err != nil {
		return r, err
	}
	static, err := filesIn(staticFiles, "static", "")
	if err != nil {
		return r, err
	}
	for name, text := range static {
		texts["static/"+name] = text
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if err := r.copyFile(ctx, p, path.Join(themeDir, name), texts[name], in.Overwrite); err != nil {
			return r, engine.Wrap(err, "")
		}
	}
	return r, nil
}

// isCommitted reports whether a commit has a file as it is, so that replacing it loses nothing.
func isCommitted(ctx context.Context, p *engine.Project, name string) (bool, error) {
	tracked, err := p.Store.Tracked(ctx)
	if err != nil || !tracked {
		return false, err
	}
	edits, err := p.Repo.Status(ctx, engine.Home(p), name)
	return len(edits) == 0, err
}

// copyFile writes one file of the theme.
func (r *InitResult) copyFile(ctx context.Context, p *engine.Project, name string, text []byte, overwrite bool) error {
	have, err := p.Store.ReadTree(engine.Home(p), name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Made = append(r.Made, name)
		have = nil
	case err != nil:
		return err
	case bytes.Equal(have, text):
		return nil
	case !overwrite:
		r.Left = append(r.Left, name)
		return nil
	}
	if have != nil {
		kept, err := isCommitted(ctx, p, name)
		if err != nil || !kept {
			r.Left = append(r.Left, name)
			return err
		}
		r.Replaced = append(r.Replaced, name)
	}
	return p.Store.Write(ctx, engine.Home(p), name, have, text)
}
