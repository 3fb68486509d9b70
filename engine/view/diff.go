package view

import (
	"context"
	"errors"
	"path/filepath"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/gitops"
	"chant/text"
)

// DiffInput names a spec and selects what of its work to return.
type DiffInput struct {
	ID    string   `json:"id" jsonschema:"Spec ID (full or partial)"`
	Paths []string `json:"paths,omitempty" jsonschema:"Only these paths: pathspecs of git, relative to the folder dir"`

	Dir   string `json:"-"` // where pathspecs begin, "" for the top
	Text  bool   `json:"-"` // with Patch
	Width int    `json:"-"` // with Stat of at most so many columns, 0 for no Stat
}

// DiffResult is what the work of a spec changes.
type DiffResult struct {
	ID      string            `json:"id"`
	Title   string            `json:"title"`
	Landed  bool              `json:"landed"`
	Branch  string            `json:"branch,omitempty"` // of the work, unless it has landed
	Target  string            `json:"target"`
	From    string            `json:"from"` // commits
	To      string            `json:"to"`
	Files   []gitops.FileDiff `json:"files"`
	Added   int               `json:"added"`   // lines of all files
	Removed int               `json:"removed"` // lines of all files

	Patch []byte `json:"-"`
	Stat  []byte `json:"-"`
}

// Diff compares the work of a spec with what it began from: its branch with the merge base of branch and target, or, once
// it has landed, its merge with the first parent of it. What is not committed is left out. Errors: NotFound, and State for
// a spec without work.
func Diff(ctx context.Context, p *engine.Project, in DiffInput) (DiffResult, error) {
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return DiffResult{}, engine.Wrap(err, in.ID)
	}
	work, err := run.WorkOf(ctx, p, &s.Spec)
	r := DiffResult{ID: s.ID, Title: s.Title, Landed: work.Landed, Branch: work.Branch, Target: work.Target, From: work.From, To: work.To}
	if err == nil {
		err = r.read(ctx, p, in)
	}
	return engine.Done(r, err, s.ID)
}

// read fills in what differs between the two commits.
func (r *DiffResult) read(ctx context.Context, p *engine.Project, in DiffInput) (err error) {
	c := gitops.Comparison{From: r.From, To: r.To, Paths: in.Paths, Tree: p.Repo.Dir()}
	if below, err := filepath.Rel(p.Repo.Dir(), disk.RealPath(in.Dir)); err == nil && in.Dir != "" && filepath.IsLocal(below) && below != "." {
		// Elsewhere, the folder is no worktree of the repository, and a path in it means nothing to git.
		if p.Repo.Dir() != engine.Home(p) || !p.Sandbox().OfOthers(in.Dir) {
			c.Folder = below
		}
	}
	r.Files, err = p.Repo.FileDiffs(ctx, c)
	// What git refuses is one of the pathspecs of the caller.
	if git, ok := errors.AsType[*gitops.GitError](err); ok && len(in.Paths) > 0 {
		return engine.Fail(engine.Usage, next.Diff.Help(), "invalid path: %s", text.FirstLine(git.Stderr))
	}
	if err != nil {
		return err
	}
	for _, f := range r.Files {
		r.Added, r.Removed = r.Added+f.Added, r.Removed+f.Removed
	}
	if in.Text {
		if r.Patch, err = p.Repo.Patch(ctx, c); err != nil {
			return err
		}
	}
	if in.Width > 0 {
		r.Stat, err = p.Repo.Diffstat(ctx, c, in.Width)
	}
	return err
}
