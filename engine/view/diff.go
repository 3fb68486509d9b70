package view

import (
	"context"
	"errors"
	"path/filepath"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/engine/store/message"
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
	r, err := endsOfWork(ctx, p, &s.Spec)
	if err == nil {
		err = r.read(ctx, p, in)
	}
	return engine.Done(r, err, s.ID)
}

// endsOfWork finds the commits before and after the work.
func endsOfWork(ctx context.Context, p *engine.Project, s *spec.Spec) (DiffResult, error) {
	r := DiffResult{ID: s.ID, Title: s.Title}
	var err error
	if r.Target, err = run.TargetFor(ctx, p, s); err != nil {
		return r, err
	}
	// A completed spec may keep its branch after it has landed.
	if s.Branch == "" || s.Status == spec.Completed && s.Landed {
		found, err := r.findLanding(ctx, p)
		if err != nil || found {
			return r, err
		}
	}
	if s.Branch == "" {
		return r, noWork(s, r.Target)
	}
	tip := "refs/heads/" + s.Branch
	if r.To, err = p.Repo.Resolve(ctx, tip); err != nil {
		return r, err
	}
	r.Branch = s.Branch
	r.From, err = p.Repo.MergeBase(ctx, "refs/heads/"+r.Target, tip)
	if errors.Is(err, gitops.ErrNotFound) {
		// A shallow clone lacks the commit where they part.
		return r, engine.Fail(engine.State, next.Diagnose.On(s.ID), "branches %q and %q have no history in common here", s.Branch, r.Target)
	}
	return r, err
}

// findLanding finds the newest commit with which the spec has landed on the target: a merge, or, where the work was
// rebased, its last commit, which completes it.
func (r *DiffResult) findLanding(ctx context.Context, p *engine.Project) (bool, error) {
	commits, err := p.Repo.Saying(ctx, "refs/heads/"+r.Target, "^Chant-Event: (land|complete|start|undo)$")
	if err != nil {
		return false, err
	}
	undone := map[string]bool{}
	for _, c := range commits {
		for _, commit := range message.Lines(c, message.UndoesTrailer) {
			undone[commit] = true
		}
		for _, event := range message.Records(c) {
			switch {
			// The log has the newest commit first, so an undo is read before what it undoes.
			case undone[c.Hash] || event.Event == attempt.UndoWord:
			case event.ID != r.ID || len(c.Parents) == 0:
			case r.To == "" && event.Event == string(spec.Start):
			case r.To == "" && event.Event == "land":
				r.Landed, r.From, r.To = true, c.Parents[0], c.Hash
				return true, nil
			// Without a merge, the work was rebased, and begins at the commit that started it.
			case r.To == "":
				r.Landed, r.From, r.To = true, c.Parents[0], c.Hash
			case event.Event == string(spec.Start):
				r.From = c.Parents[0]
				return true, nil
			}
		}
	}
	return r.To != "", nil
}

// noWork is the error for a spec that has neither a branch nor a landing.
func noWork(s *spec.Spec, target string) error {
	switch {
	case s.Fields.Type.Container():
		return engine.Fail(engine.State, next.Deps.On(s.ID), "spec %q is a %s: the work is that of its members", s.ID, s.Fields.Type)
	case s.Status == spec.Completed:
		return engine.Fail(engine.State, next.Show.On(s.ID), "spec %q is completed, but no commit on %q says that it landed", s.ID, target)
	case s.Status == spec.Cancelled || s.Archived:
		return engine.Fail(engine.State, next.Show.On(s.ID), "spec %q has no work: it has no branch and has not landed on %q", s.ID, target)
	}
	return engine.Fail(engine.State, next.Work.On(s.ID), "spec %q has no work yet", s.ID)
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
