package engine

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"

	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// HasUncommittedEdits reports whether home's copy of a spec has uncommitted edits, staged or not. A file that git does not
// track has none: all of it is new.
func HasUncommittedEdits(ctx context.Context, p *Project, id string) (bool, error) {
	all, err := p.Repo.Status(ctx, Home(p), store.SpecPath(id))
	return slices.ContainsFunc(all, func(s gitops.StatusEntry) bool { return s.Path == store.SpecPath(id) && s.Code != "??" }), err
}

// CommitStep is the command that commits home's copy of a spec, without an editor.
func CommitStep(id string) next.Step {
	return next.Shell("git commit -m %q %s", "Edit "+id, store.SpecPath(id))
}

// StepAfterCommit returns the step, or the commit that it requires: approve refuses a spec with uncommitted edits.
func StepAfterCommit(ctx context.Context, p *Project, step next.Step) next.Step {
	// approve refuses a spec with uncommitted edits.
	if step.Op != next.Approve || len(step.Args) != 1 {
		return step
	}
	id := step.Args[0].Value
	if edited, err := HasUncommittedEdits(ctx, p, id); err == nil && edited {
		return CommitStep(id)
	}
	return step
}

// WithCommitFirst applies StepAfterCommit to the next step of an error.
func WithCommitFirst(ctx context.Context, p *Project, err error) error {
	if known, ok := errors.AsType[*Error](err); ok && err != nil {
		// An operation that was canceled still gets the right step.
		known.Next = StepAfterCommit(context.WithoutCancel(ctx), p, known.Next)
	}
	return err
}

// rewriteTries limits how often an edit of the run's copy is repeated.
const rewriteTries = 100

// Rewrite edits the run's copy of its own spec. If the agent writes the file at the same time, the edit is repeated on
// the new content.
func Rewrite(ctx context.Context, p *Project, id string, edit func(*markdown.Document) (*markdown.Document, error)) (*markdown.Document, error) {
	for try := 1; ; try++ {
		s, err := p.Store.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		edited, err := edit(s.Doc)
		if err != nil || bytes.Equal(edited.Bytes(), s.Doc.Bytes()) {
			return edited, err
		}
		tree := p.Store.Tree(id)
		if _, err := p.Store.ReadTree(tree, store.SpecPath(id)); errors.Is(err, fs.ErrNotExist) {
			// git ignores .chant, so the worktree has no copy.
			tree = Home(p)
		}
		// The write compares with what was read: an edit of the agent in between is never lost.
		err = p.Store.Write(ctx, tree, store.SpecPath(id), s.Doc.Bytes(), edited.Bytes())
		if _, changed := errors.AsType[*store.ChangedError](err); !changed || try == rewriteTries {
			return edited, err
		}
	}
}
