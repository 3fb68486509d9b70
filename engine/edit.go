package engine

import (
	"bytes"
	"context"
	"errors"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// SourceResult is the text of a spec file, readable or not.
type SourceResult struct {
	ID       string
	Path     string // below home
	Text     []byte
	Archived bool
	Clash    bool // of a draft: home's copy was edited in the same place, see it in a warning
}

// Source returns the file of a spec from where it speaks, archived ones included.
// A file whose front matter is broken is returned too.
func (e *Engine) Source(ctx context.Context, text string) (SourceResult, error) {
	id, err := e.lookUp(ctx, text)
	if _, missing := errors.AsType[*spec.NotFoundError](err); missing {
		return e.archivedSource(text)
	}
	if err != nil {
		return SourceResult{}, wrap(err, text)
	}
	result := SourceResult{ID: id, Path: store.SpecPath(id)}
	if s, err := e.store.Get(ctx, id); err == nil {
		result.Text = s.Doc.Bytes()
		return result, nil
	}
	result.Text, err = e.store.Raw(ctx, id)
	return done(result, err, id)
}

func (e *Engine) archivedSource(text string) (SourceResult, error) {
	id, err := e.findArchived(text)
	if err != nil {
		return SourceResult{}, wrap(err, text)
	}
	result := SourceResult{ID: id, Archived: true}
	result.Path, result.Text, err = e.store.RawArchived(id)
	return done(result, err, id)
}

// Draft is Source for an editor. What a person has edited in home is taken over to the run's branch
// first. Errors: State for an archived spec, of which no edit would be taken.
func (e *Engine) Draft(ctx context.Context, text string) (SourceResult, error) {
	result, err := e.Source(ctx, text)
	switch {
	case err != nil:
		return result, err
	case result.Archived:
		return result, fail(State, "chant show "+result.ID, "spec %q is archived and is not edited any more", result.ID)
	}
	if err := e.mayInside("edit", result.ID); err != nil {
		return result, err
	}
	clash, err := e.takeBeforeEdit(ctx, result.ID)
	if err != nil {
		return result, err
	}
	result, err = e.Source(ctx, result.ID)
	result.Clash = clash
	return result, err
}

// EditInput is a spec file before and after an edit.
type EditInput struct {
	ID  string
	Old []byte // what was edited
	New []byte
}

// Edit replaces the text of a spec and commits it. On a run's branch the edited
// criteria count from then on: a person changed them. Errors: Invalid when the
// new text cannot be read, State when it changes the status, Conflict when the
// file changed meanwhile or a process is at work on it.
func (e *Engine) Edit(ctx context.Context, in EditInput) (StateResult, error) {
	return withHold(ctx, e, in.ID, "edit", func(h *held) (StateResult, error) { return e.editHeld(ctx, in, h) })
}

func (e *Engine) editHeld(ctx context.Context, in EditInput, h *held) (StateResult, error) {
	path := store.SpecPath(in.ID)
	if _, err := e.clashAtHome(ctx, h); err != nil {
		return StateResult{}, err
	}
	next, err := spec.Parse(in.ID, path, in.New)
	if err != nil {
		return StateResult{}, err
	}
	result := StateResult{ID: in.ID, Status: next.Status}
	old, err := spec.Parse(in.ID, path, in.Old)
	if err != nil { // mending a broken file
		if err := e.mayLoosen(in.ID, nil, next); err != nil {
			return result, err
		}
		result.Commit, err = e.store.Replace(ctx, in.ID, in.Old, in.New, "edit")
		return result, err
	}
	if err := e.mayLoosen(in.ID, old, next); err != nil {
		return result, err
	}
	if old.Status != next.Status {
		return result, fail(State, "chant show "+in.ID, "an edit cannot change the status of spec %q from %s to %s; work, reset and cancel do", in.ID, old.Status, next.Status)
	}
	out, err := e.store.Transition(ctx, store.Change{
		ID: in.ID, Word: "edit",
		Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			if !bytes.Equal(doc.Bytes(), in.Old) {
				return nil, &store.ChangedError{Path: path}
			}
			return next.Doc, nil
		},
	})
	if err != nil {
		return result, err
	}
	result.Commit = out.Commit
	if err := e.leaveHomeEdit(ctx, h); err != nil {
		return result, err
	}
	if out.Spec.Branch == "" || out.Commit == "" {
		return result, nil
	}
	last := 0
	if a := h.history.Last(); a != nil {
		last = a.Number
	}
	if err := run.NoteEdit(e.store, in.ID, out.Commit, e.Now()); err != nil {
		return result, err
	}
	return result, run.Vouch(e.store, in.ID, last, run.Trusted{Commit: out.Commit}, e.Now())
}
