package run

import (
	"context"
	"errors"
	"fmt"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/edits"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/markdown"
)

// FindHomeEdit finds what a person has edited in home's copy of a spec since its last attempt ended, and its branch
// lacks; nil if there is nothing. A completed spec waits to land as it is.
func FindHomeEdit(ctx context.Context, p *engine.Project, s *spec.Spec, history *journal.History) (*Run, *edits.HomeEdit, error) {
	last := history.Last()
	if s.Branch == "" || s.Status == spec.Completed || last == nil || last.Gone || history.Trusted == nil {
		return nil, nil, nil
	}
	tracked, err := p.Store.Tracked(ctx)
	if err != nil {
		return nil, nil, err
	}
	job := last.Job
	job.Attempt, job.Silent = last.Number, !tracked
	r := NewQuestionRun(p, job, history)
	edit, err := r.Edits.HomeEdit(ctx)
	return r, edit, err
}

// TakeHomeEdit applies such an edit to the run's branch, on which the work continues, and returns the spec as it is
// then. If home has the target checked out, the edit is committed there too. Errors: *journal.Failure if the branch has
// changed the same part.
func TakeHomeEdit(ctx context.Context, p *engine.Project, s *spec.File, h *engine.Held) (*spec.File, error) {
	r, edit, err := FindHomeEdit(ctx, p, &s.Spec, h.History)
	if err != nil || edit == nil {
		return s, err
	}
	commit, err := r.Edits.TakeHomeEdit(ctx, edit)
	if err != nil {
		return s, unreadableAtHome(s.ID, err)
	}
	// The edit has written to the journal, and what follows must not decide by the old one.
	if h.History, err = journal.ReadSealed(p.Store, s.ID); err != nil {
		return s, err
	}
	if p.Progress != nil && commit != "" {
		p.Progress(engine.Event{Time: p.Now(), ID: s.ID, Step: journal.Branch, Kind: "step", Text: fmt.Sprintf("took your edit of the spec in your checkout over to %s, as %.7s", s.Branch, commit)})
	}
	if err := CommitAtHome(ctx, p, &s.Spec); err != nil {
		return s, err
	}
	return p.Store.Get(ctx, s.ID)
}

// unreadableAtHome turns the error for a spec that an edit in home has made unreadable into one that names the file.
func unreadableAtHome(id string, err error) error {
	syntax, ok := errors.AsType[*markdown.SyntaxError](err)
	if !ok {
		return err
	}
	return engine.Fail(engine.Invalid, next.EditFile(store.SpecPath(id)), "the spec in your checkout was edited and cannot be read: %s", syntax)
}

// EditedAtHome reports whether home's copy of a spec has an edit that work applies to the branch, and the error if that
// would fail.
func EditedAtHome(ctx context.Context, p *engine.Project, s *spec.Spec, history *journal.History) (edited bool, clash *engine.Error) {
	r, edit, err := FindHomeEdit(ctx, p, s, history)
	if err != nil || edit == nil {
		return false, nil
	}
	if _, err := r.Edits.TryHomeEdit(ctx, edit); err != nil {
		clash, _ = errors.AsType[*engine.Error](engine.Wrap(unreadableAtHome(s.ID, err), s.ID))
	}
	return true, clash
}

// ClashAtHome applies an edit of home's copy, and warns if it conflicts with the branch.
func ClashAtHome(ctx context.Context, p *engine.Project, h *engine.Held) (bool, error) {
	s, err := p.Store.Get(ctx, h.ID)
	if err != nil {
		return false, nil //nolint:nilerr // it is being edited because it cannot be read
	}
	_, err = TakeHomeEdit(ctx, p, s, h)
	f, ok := errors.AsType[*journal.Failure](err)
	if !ok {
		return false, err
	}
	engine.Warn(p, h.ID, f.Message)
	return true, nil
}

// LeaveHomeEdit records that a person has edited the branch's copy although home's copy conflicts with it.
func LeaveHomeEdit(ctx context.Context, p *engine.Project, h *engine.Held) error {
	s, err := p.Store.Get(ctx, h.ID)
	if err != nil {
		return err
	}
	r, edit, err := FindHomeEdit(ctx, p, &s.Spec, h.History)
	if err != nil || edit == nil {
		return err
	}
	return r.Edits.LeaveHomeEdit(edit)
}

// CommitAtHome commits home's copy of a spec, and the folder that it adopts, where home has the target checked out.
func CommitAtHome(ctx context.Context, p *engine.Project, s *spec.Spec) error {
	target, err := TargetFor(ctx, p, s)
	if err != nil {
		return err
	}
	head, err := p.Repo.Head(ctx, p.Repo.Home())
	// On another branch, the commit would not be on the target, where a landing looks for it.
	if err != nil || head.Branch != target {
		return err
	}
	commit, err := p.Store.CommitEdits(ctx, s.ID)
	if err != nil {
		return err
	}
	say := func(what, commit string) {
		if commit != "" && p.Progress != nil {
			p.Progress(engine.Event{Time: p.Now(), ID: s.ID, Step: journal.Branch, Kind: "step", Text: "committed your edits of " + what + " as " + commit[:7]})
		}
	}
	say("the spec", commit)
	if s.Fields.Source == "" {
		return nil
	}
	commit, err = store.CommitSource(ctx, p.Store, s.Fields.Source, message.Commit{ID: s.ID, Event: "edit"}.String())
	say(s.Fields.Source, commit)
	return err
}
