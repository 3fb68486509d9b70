package run

import (
	"context"

	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/gitops"
	"chant/markdown"
)

// FinalAt is Final for a spec that completes with a report and the tree of a commit. It also records the digests of the files that
// the spec depends on there, by which drift is found later. The digests are git's, of what is committed: file times,
// line endings of a checkout and uncommitted changes do not count.
func (r *Run) FinalAt(ctx context.Context, report criteria.Report, commit string) func(*markdown.Document) (*markdown.Document, error) {
	return func(doc *markdown.Document) (*markdown.Document, error) {
		doc, err := r.Final(doc, report)
		if err != nil {
			return nil, err
		}
		s, err := spec.FromDocument(r.Job.ID, doc)
		if err != nil {
			return nil, err
		}
		sources := s.Fields.Sources()
		if len(sources) == 0 {
			return doc.Apply(markdown.Unset(spec.HashesKey))
		}
		tree, err := TreeAt(ctx, r.Repo, commit)
		if err != nil {
			return nil, err
		}
		return doc.Apply(markdown.Set(spec.HashesKey, tree.Digests(r.Job.ID, sources)))
	}
}

// TreeAt reads the files of a commit. Errors: gitops.ErrNotFound.
func TreeAt(ctx context.Context, repo *gitops.Repo, commit string) (fileset.Tree, error) {
	files, err := repo.Files(ctx, commit)
	if err != nil {
		return nil, err
	}
	tree := make(fileset.Tree, len(files))
	for i, f := range files {
		tree[i] = fileset.TreeFile{Path: f.Name, Hash: f.Hash}
	}
	return tree, nil
}
