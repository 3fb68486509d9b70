package committer

import (
	"context"

	"chant/gitops/objectstore"
)

// WriteTree stores a copy of tree (a tree or commit; "" for an empty one) with these files
// put in and returns its hash. A folder left empty goes, a folder in the way of a file is
// replaced.
func (w *Committer) WriteTree(ctx context.Context, tree string, files []objectstore.File) (string, error) {
	edits, err := w.Objects.WriteFiles(ctx, w.Site.Home, files)
	if err != nil {
		return "", err
	}
	if tree != "" {
		if tree, err = w.Revs.TreeOf(ctx, tree); err != nil {
			return "", err
		}
	}
	return w.Objects.Graft(ctx, tree, edits)
}
