package run

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/message"
	"chant/gitops"
)

// Work says between which commits the work of a spec lies.
type Work struct {
	Target   string // the branch on which it lands
	Landed   bool
	Branch   string // of the work, "" once it has landed
	From, To string // commits
}

// WorkOf finds the commits before and after the work of a spec. Errors: State for a spec without work.
func WorkOf(ctx context.Context, p *engine.Project, s *spec.Spec) (Work, error) {
	var w Work
	var err error
	if w.Target, err = TargetFor(ctx, p, s); err != nil {
		return w, err
	}
	// A completed spec may keep its branch after it has landed.
	if s.Branch == "" || s.Status == spec.Completed && s.Landed {
		found, err := w.findLanding(ctx, p, s.ID)
		if err != nil || found {
			return w, err
		}
	}
	if s.Branch == "" {
		return w, noWork(s, w.Target)
	}
	tip := "refs/heads/" + s.Branch
	if w.To, err = p.Repo.Resolve(ctx, tip); err != nil {
		return w, err
	}
	w.Branch = s.Branch
	w.From, err = p.Repo.MergeBase(ctx, "refs/heads/"+w.Target, tip)
	if errors.Is(err, gitops.ErrNotFound) {
		// A shallow clone lacks the commit where they part.
		return w, engine.Fail(engine.State, next.Diagnose.On(s.ID), "branches %q and %q have no history in common here", s.Branch, w.Target)
	}
	return w, err
}

// findLanding finds the newest commit with which the spec has landed on the target: a merge, or, where the work was
// rebased, its last commit, which completes it.
func (w *Work) findLanding(ctx context.Context, p *engine.Project, id string) (bool, error) {
	commits, err := p.Repo.Saying(ctx, "refs/heads/"+w.Target, "^Chant-Event: (land|complete|start|undo)$")
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
			case event.ID != id || len(c.Parents) == 0:
			case w.To == "" && event.Event == string(spec.Start):
			case w.To == "" && event.Event == "land":
				w.Landed, w.From, w.To = true, c.Parents[0], c.Hash
				return true, nil
			// Without a merge, the work was rebased, and begins at the commit that started it.
			case w.To == "":
				w.Landed, w.From, w.To = true, c.Parents[0], c.Hash
			case event.Event == string(spec.Start):
				w.From = c.Parents[0]
				return true, nil
			}
		}
	}
	return w.To != "", nil
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
