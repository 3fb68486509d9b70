package engine

import (
	"bytes"
	"context"
	"errors"

	"chant/engine/store"
	"chant/markdown"
)

// rewriteTries bounds how often an edit of the run's copy begins anew.
const rewriteTries = 100

// Rewrite edits the run's copy of its own spec. The agent may write the file by
// other means at the same time: the edit is then made again on what stands there.
func Rewrite(ctx context.Context, p *Project, id string, edit func(*markdown.Document) (*markdown.Document, error)) (*markdown.Document, error) {
	for try := 1; ; try++ {
		s, err := p.Store.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		next, err := edit(s.Doc)
		if err != nil || bytes.Equal(next.Bytes(), s.Doc.Bytes()) {
			return next, err
		}
		err = p.Store.Write(ctx, p.Store.Tree(id), store.SpecPath(id), s.Doc.Bytes(), next.Bytes())
		if _, changed := errors.AsType[*store.ChangedError](err); !changed || try == rewriteTries {
			return next, err
		}
	}
}
