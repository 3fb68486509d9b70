package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// homeEdit is what a person has edited in home's copy of a spec since the last attempt at it ended,
// which its branch lacks; nil where there is nothing. What is completed waits to land as it is.
func (e *Engine) homeEdit(ctx context.Context, s *spec.Spec, history *run.History) (*run.Run, *run.HomeEdit, error) {
	last := history.Last()
	if s.Branch == "" || s.Status == spec.Completed || last == nil || last.Gone || history.Trusted == nil {
		return nil, nil, nil
	}
	tracked, err := e.store.Tracked(ctx)
	if err != nil {
		return nil, nil, err
	}
	job := last.Job
	job.Attempt, job.Silent = last.Number, !tracked
	r := e.newRun(job, &held{id: s.ID, history: history}, e.settings())
	edit, err := r.HomeEdit(ctx)
	return r, edit, err
}

// takeHomeEdit brings such an edit over to the run's branch, on which the work continues, and returns the
// spec as it is then. Where home has the target checked out the edit is committed there too. Errors:
// *run.Failure where the branch has changed the same.
func (e *Engine) takeHomeEdit(ctx context.Context, s *spec.Spec, h *held) (*spec.Spec, error) {
	r, edit, err := e.homeEdit(ctx, s, h.history)
	if err != nil || edit == nil {
		return s, err
	}
	commit, err := r.TakeHomeEdit(ctx, edit)
	if err != nil {
		return s, unreadableAtHome(s.ID, err)
	}
	if h.history, err = run.ReadHistory(e.store, s.ID); err != nil {
		return s, err
	}
	if e.Progress != nil && commit != "" {
		e.Progress(Event{Time: e.Now(), ID: s.ID, Step: run.Branch, Kind: "step", Text: fmt.Sprintf("took your edit of the spec in your checkout over to %s, as %.7s", s.Branch, commit)})
	}
	if err := e.commitAtHome(ctx, s); err != nil {
		return s, err
	}
	return e.store.Get(ctx, s.ID)
}

// unreadableAtHome names the file in home where an edit there left nothing that can be read.
func unreadableAtHome(id string, err error) error {
	syntax, ok := errors.AsType[*markdown.SyntaxError](err)
	if !ok {
		return err
	}
	return fail(Invalid, "vi "+store.SpecPath(id), "the spec in your checkout was edited and cannot be read: %s", syntax)
}

// withHomeEdit is takeHomeEdit before a spec is worked; a dry run only says that there is an edit.
func (e *Engine) withHomeEdit(ctx context.Context, in WorkInput, g *spec.Graph, s *spec.Spec, h *held) (*spec.Graph, *spec.Spec, error) {
	if in.DryRun {
		_, edit, err := e.homeEdit(ctx, s, h.history)
		if err == nil && edit != nil {
			e.warn(s.ID, fmt.Sprintf("%s was edited in your checkout; work takes that over to %s first, this plan does not have it", store.SpecPath(s.ID), s.Branch))
		}
		return g, s, err
	}
	before := s.Doc.Bytes()
	now, err := e.takeHomeEdit(ctx, s, h)
	if err != nil || bytes.Equal(before, now.Doc.Bytes()) {
		return g, s, err
	}
	set, g, err := e.graph(ctx)
	if err != nil {
		return g, s, err
	}
	s, err = readable(set, g, s.ID)
	return g, s, err
}

// editedAtHome reports whether home's copy of a spec has an edit that work takes over to the branch, and
// why that will not succeed, nil where it will.
func (e *Engine) editedAtHome(ctx context.Context, s *spec.Spec, history *run.History) (edited bool, clash *Error) {
	r, edit, err := e.homeEdit(ctx, s, history)
	if err != nil || edit == nil {
		return false, nil
	}
	if _, err := r.TryHomeEdit(ctx, edit); err != nil {
		clash, _ = errors.AsType[*Error](wrap(unreadableAtHome(s.ID, err), s.ID))
	}
	return true, clash
}

// takeBeforeEdit takes such an edit over before a person sees the run's copy in an editor, and reports
// whether the two conflict.
func (e *Engine) takeBeforeEdit(ctx context.Context, id string) (clash bool, err error) {
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return false, nil //nolint:nilerr // it is edited because it cannot be read
	}
	history, err := run.ReadHistory(e.store, id)
	if err != nil {
		return false, err
	}
	if edited, _ := e.editedAtHome(ctx, s, history); !edited {
		return false, nil
	}
	return withHold(ctx, e, id, "edit", func(h *held) (bool, error) { return e.clashAtHome(ctx, h) })
}

// clashAtHome takes an edit of home's copy over, and warns where it conflicts with the branch.
func (e *Engine) clashAtHome(ctx context.Context, h *held) (bool, error) {
	s, err := e.store.Get(ctx, h.id)
	if err != nil {
		return false, nil //nolint:nilerr // it is edited because it cannot be read
	}
	_, err = e.takeHomeEdit(ctx, s, h)
	f, ok := errors.AsType[*run.Failure](err)
	if !ok {
		return false, err
	}
	e.warn(h.id, f.Message)
	return true, nil
}

// leaveHomeEdit records that a person has edited the branch's copy knowing that home's conflicts with it.
func (e *Engine) leaveHomeEdit(ctx context.Context, h *held) error {
	s, err := e.store.Get(ctx, h.id)
	if err != nil {
		return err
	}
	r, edit, err := e.homeEdit(ctx, s, h.history)
	if err != nil || edit == nil {
		return err
	}
	return r.LeaveHomeEdit(edit)
}
