package author

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/evidence/heldout"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/edits"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/work"
	"chant/markdown"
)

// SourceResult is the text of a spec file, readable or not.
type SourceResult struct {
	ID       string
	Path     string // below home
	Text     []byte
	Status   spec.Status // of a file that can be read
	Archived bool
	HeldOut  bool // of a draft: held-out criteria are at the end of Text
	Clash    bool // of a draft: an edit of home's copy conflicts with the branch; a warning describes it
}

// Source returns the file of a spec, which may be archived: the copy on its branch if it
// has a run, else that in home. A file with invalid front matter is returned, too.
func Source(ctx context.Context, p *engine.Project, text string) (SourceResult, error) {
	id, err := engine.LookUp(ctx, p, text)
	if _, missing := errors.AsType[*spec.NotFoundError](err); missing {
		return archivedSource(p, text)
	}
	if err != nil {
		return SourceResult{}, engine.Wrap(err, text)
	}
	result := SourceResult{ID: id, Path: store.SpecPath(id)}
	// Otherwise its front matter is invalid, and only its text is known.
	if s, err := p.Store.Get(ctx, id); err == nil {
		result.Text, result.Status = s.Doc.Bytes(), s.Status
		return result, nil
	}
	result.Text, err = p.Store.Raw(ctx, id)
	return engine.Done(result, err, id)
}

func archivedSource(p *engine.Project, text string) (SourceResult, error) {
	id, err := engine.FindArchived(p, text)
	if err != nil {
		return SourceResult{}, engine.Wrap(err, text)
	}
	result := SourceResult{ID: id, Archived: true}
	result.Path, result.Text, err = p.Store.RawArchived(id)
	return engine.Done(result, err, id)
}

// Draft is Source for an editor. An edit of home's copy is brought over to the run's branch first.
// Errors: State for an archived spec, which cannot be edited.
func Draft(ctx context.Context, p *engine.Project, text string) (SourceResult, error) {
	result, err := Source(ctx, p, text)
	switch {
	case err != nil:
		return result, err
	case result.Archived:
		return result, engine.Fail(engine.State, next.Show.On(result.ID), "spec %q is archived and cannot be edited", result.ID)
	}
	if err := engine.MayInside(p, "edit", result.ID); err != nil {
		return result, err
	}
	// An edit in the editor would begin without it otherwise.
	if err := p.Store.MoveHeldOut(ctx, result.ID); err != nil {
		// The editor is there to correct them.
		if _, wrong := errors.AsType[*markdown.SyntaxError](err); !wrong {
			return result, err
		}
	}
	clash, err := work.TakeEditBeforeEditor(ctx, p, result.ID)
	if err != nil {
		return result, err
	}
	result, err = Source(ctx, p, result.ID)
	result.Clash = clash
	if err != nil {
		return result, err
	}
	held, err := heldout.Read(p.Store, p.Environ, result.ID)
	if _, sealed := errors.AsType[*heldout.SealedError](err); sealed {
		// They stay as they are.
		err = nil
	}
	if held != nil {
		result.HeldOut = true
		result.Text = withHeldOut(result.Text, held.Text)
	}
	return engine.Done(result, err, result.ID)
}

// withHeldOut returns the text of a spec with its held-out criteria at the end.
func withHeldOut(text, section []byte) []byte {
	return slices.Concat(bytes.TrimRight(text, "\r\n"), []byte("\n\n"), section)
}

// cutHeldOut returns the text of a draft without its held-out criteria, and these. The line ends at its end are those of the
// file as it is.
func cutHeldOut(path string, text, file []byte) (rest, section []byte, err error) {
	doc, err := markdown.Parse(path, text)
	if err != nil {
		return text, nil, err
	}
	doc, section, err = spec.CutHeldOut(doc)
	if section == nil || err != nil {
		return text, nil, err
	}
	end := file[len(bytes.TrimRight(file, "\r\n")):]
	return slices.Concat(bytes.TrimRight(doc.Bytes(), "\r\n"), end), section, nil
}

// EditInput is a spec file before and after an edit.
type EditInput struct {
	ID  string
	Old []byte // the text before the edit
	New []byte
}

// Edit replaces the text of a spec and commits it. On a run's branch the edited
// criteria count from then on: a person changed them. Errors: Invalid when the
// new text cannot be read, State when it changes the status, Conflict when the
// file changed meanwhile or a process is at work on it.
func Edit(ctx context.Context, p *engine.Project, in EditInput) (engine.StateResult, error) {
	result, err := advice.WithHold(ctx, p, in.ID, "edit", func(h *engine.Held) (engine.StateResult, error) { return editHeld(ctx, p, in, h) })
	if err == nil {
		result.Next = advice.After(ctx, p, result.ID)
	}
	return result, err
}

func editHeld(ctx context.Context, p *engine.Project, in EditInput, h *engine.Held) (engine.StateResult, error) {
	path := store.SpecPath(in.ID)
	if _, err := run.ClashAtHome(ctx, p, h); err != nil {
		return engine.StateResult{}, err
	}
	changed, err := editHeldOut(ctx, p, path, &in)
	if err != nil {
		return engine.StateResult{}, err
	}
	edited, err := spec.Parse(in.ID, path, in.New)
	if err != nil {
		return engine.StateResult{}, err
	}
	result := engine.StateResult{ID: in.ID, Status: edited.Status}
	old, err := spec.Parse(in.ID, path, in.Old)
	// The edit fixes an invalid file.
	if err != nil {
		if err := engine.MayLoosen(p, in.ID, nil, edited); err != nil {
			return result, err
		}
		result.Commit, err = p.Store.Replace(ctx, in.ID, in.Old, in.New, "edit")
		return result, err
	}
	if err := engine.MayLoosen(p, in.ID, old, edited); err != nil {
		return result, err
	}
	if old.Status != edited.Status {
		return result, engine.Fail(engine.State, next.Show.On(in.ID), "an edit cannot change the status of spec %q from %s to %s; work, reset and cancel do", in.ID, old.Status, edited.Status)
	}
	if changed != nil {
		if err := changed(); err != nil {
			return result, err
		}
	}
	out, err := p.Store.Transition(ctx, store.Change{
		ID: in.ID, Word: "edit",
		Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			// A process has changed it while the editor was open.
			if !bytes.Equal(doc.Bytes(), in.Old) {
				return nil, &store.ChangedError{Path: path}
			}
			return edited.Doc, nil
		},
	})
	if err != nil {
		return result, err
	}
	result.Commit = out.Commit
	if changed != nil && out.Spec.Branch != "" {
		commit, err := p.Store.CommitHeldOut(ctx, in.ID)
		if err != nil {
			return result, err
		}
		result.Commit = cmp.Or(out.Commit, commit)
	}
	if err := run.LeaveHomeEdit(ctx, p, h); err != nil {
		return result, err
	}
	// Without a run, the file itself says what counts.
	if out.Spec.Branch == "" || out.Commit == "" {
		return result, nil
	}
	last := 0
	if a := h.History.Last(); a != nil {
		last = a.Number
	}
	if err := edits.NoteEdit(p.Store, in.ID, out.Commit, p.Now()); err != nil {
		return result, err
	}
	return result, journal.Vouch(p.Store, in.ID, last, journal.Trusted{Commit: out.Commit}, p.Now())
}

// editHeldOut takes the held-out criteria out of both texts of an edit. It returns what writes them, nil if they are as they
// were.
func editHeldOut(ctx context.Context, p *engine.Project, path string, in *EditInput) (write func() error, err error) {
	file, err := p.Store.Raw(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	old, before, err := cutHeldOut(path, in.Old, file)
	if err != nil {
		return nil, nil //nolint:nilerr // the edit fixes an invalid file, which had none
	}
	next, after, err := cutHeldOut(path, in.New, file)
	if err != nil {
		return nil, err
	}
	if before != nil && after == nil {
		// Nothing but the line ends between the spec and the section.
		next = slices.Concat(bytes.TrimRight(next, "\r\n"), file[len(bytes.TrimRight(file, "\r\n")):])
	}
	in.Old, in.New = old, next
	if bytes.Equal(before, after) {
		return nil, nil
	}
	// Those that this machine cannot open would be lost.
	if _, err := heldout.Read(p.Store, p.Environ, in.ID); err != nil {
		return nil, err
	}
	return func() error { return p.Store.WriteHeldOut(in.ID, after) }, nil
}
