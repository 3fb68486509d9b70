package author

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// OpenInput names a spec and what of it to open. Without Worktree and Spec, it is the worktree if there is one, else the
// file.
type OpenInput struct {
	ID       string
	Worktree bool // the worktree of its run
	Spec     bool // its file
}

// OpenResult is what to open.
type OpenResult struct {
	ID   string `json:"id"`
	Path string `json:"path"` // absolute
	Kind string `json:"kind"` // worktree or spec
}

// The kinds of OpenResult.
const (
	KindWorktree = "worktree"
	KindSpec     = "spec"
)

// Open finds the worktree of a spec's run, or the spec's file in your checkout, for an editor. Nothing is changed. Errors:
// NotFound, State if there is no worktree, and inside of runs.
func Open(ctx context.Context, p *engine.Project, in OpenInput) (OpenResult, error) {
	s, err := Source(ctx, p, in.ID)
	if err != nil {
		return OpenResult{}, err
	}
	if err := engine.MayInside(p, "open", s.ID); err != nil {
		return OpenResult{}, err
	}
	tree := ""
	if !in.Spec {
		if tree, err = engine.TreeOf(ctx, p, s.ID); err != nil {
			return OpenResult{}, engine.Wrap(err, s.ID)
		}
	}
	switch {
	case tree != "":
		return OpenResult{ID: s.ID, Path: tree, Kind: KindWorktree}, nil
	case in.Worktree:
		return OpenResult{}, engine.Fail(engine.State, treeNext(ctx, p, s), "spec %q has no worktree", s.ID)
	}
	path := filepath.Join(engine.Home(p), filepath.FromSlash(s.Path))
	// The spec may only be on its branch.
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return OpenResult{}, engine.Fail(engine.NotFound, next.Show.On(s.ID), "%s is not in your checkout", s.Path)
	}
	return OpenResult{ID: s.ID, Path: path, Kind: KindSpec}, nil
}

// treeNext returns what to do about a spec without a worktree: read what has landed, or work it.
func treeNext(ctx context.Context, p *engine.Project, of SourceResult) next.Step {
	if of.Archived {
		return next.Show.On(of.ID)
	}
	s, err := p.Store.Get(ctx, of.ID)
	// Nothing is left to work.
	if err != nil || s.Status == spec.Completed || s.Status == spec.Cancelled || s.Fields.Type.Container() {
		return next.Show.On(of.ID)
	}
	return next.Work.On(of.ID)
}
