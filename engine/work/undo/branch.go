package undo

import (
	"bytes"
	"context"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/attempt"
	"chant/engine/run/edits"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/markdown"
)

// judgeBranch judges a decision about the work on the branch of a run: the spec there must be as it has left it.
func judgeBranch(ctx context.Context, p *engine.Project, d *Decision) (step, error) {
	path := store.SpecPath(d.ID)
	before, err := p.Repo.ReadFile(ctx, d.parent, path)
	if err != nil {
		return step{}, err
	}
	after, err := p.Repo.ReadFile(ctx, d.Commit, path)
	if err != nil {
		return step{}, err
	}
	now, err := p.Store.Raw(ctx, d.ID)
	if err != nil {
		return step{}, err
	}
	// A later change could depend on the decision, so it is undone only while nothing followed.
	if !bytes.Equal(now, after) {
		return step{}, refuse(next.Show.On(d.ID), "the spec on branch %q was changed since", d.Branch)
	}
	d.Does = append(d.Does, "restores the spec on branch "+d.Branch+" as it was before")
	return step{func(ctx context.Context, p *engine.Project, held *engine.Held, r *UndoResult) error {
		out, err := p.Store.Transition(ctx, store.Change{
			ID: d.ID, Word: attempt.UndoWord, More: []message.Trailer{{Key: message.UndoesTrailer, Value: d.Commit}},
			Edit: func(doc *markdown.Document) (*markdown.Document, error) {
				// It was compared without the lock of the file.
				if !bytes.Equal(doc.Bytes(), after) {
					return nil, &store.ChangedError{Path: path}
				}
				return markdown.Parse(doc.Path(), before)
			},
		})
		r.Undo = out.Commit
		// Without a journal nothing is trusted that could be taken back.
		if err != nil || held.History.Trusted == nil || held.History.Last() == nil {
			return err
		}
		return restoreTrust(ctx, p, held, out.Commit, before, after)
	}}, nil
}

// restoreTrust makes the approval of before the one that counts, and takes the comments that it does not have out of the
// text that counts.
func restoreTrust(ctx context.Context, p *engine.Project, held *engine.Held, commit string, before, after []byte) error {
	id := held.ID
	was, err := spec.Parse(id, store.SpecPath(id), before)
	if err != nil {
		return err
	}
	is, err := spec.Parse(id, store.SpecPath(id), after)
	if err != nil {
		return err
	}
	t := *held.History.Trusted
	// An explicit empty approval, since nil would take the one in the file.
	if t.Approval = was.Fields.Approval; t.Approval == nil {
		t.Approval = &spec.Approval{}
	}
	if more := task.Difference(task.Comments(is.Doc), task.Comments(was.Doc)); len(more) > 0 {
		job := held.History.Last().Job
		job.Attempt = held.History.Last().Number
		start, err := run.NewQuestionRun(p, job, held.History).Trusted(ctx)
		if err != nil {
			return err
		}
		// A reset would carry these comments to home.
		if err := edits.NoteEdit(p.Store, id, commit, p.Now()); err != nil {
			return err
		}
		left := task.Difference(task.Comments(start.Doc), more)
		t.Text = string(task.Add(task.DropComments(start.Doc), left...).Bytes())
	}
	return journal.Vouch(p.Store, id, held.History.Last().Number, t, p.Now())
}
