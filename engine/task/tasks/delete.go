package tasks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
)

// DeleteInput names a task to delete.
type DeleteInput struct {
	ID      string `json:"id" jsonschema:"Task, such as AUTH-12, or spec id"`
	Project string `json:"project,omitempty" jsonschema:"Prefix, for an id that is only a number"`
}

// DeleteResult says whether there was a task to delete.
type DeleteResult struct {
	Deleted bool   `json:"deleted"`
	ID      string `json:"id,omitempty"`
	Commit  string `json:"commit,omitempty"`
}

// Delete removes the spec of a task in one commit; its text stays in the history, for which uncommitted edits of it are
// committed first. Its number is not given again. A task that does not exist is not an error. Errors: State for one
// that has a run or members, and where git ignores the specs; Blocked for one that others depend on.
func Delete(ctx context.Context, p *engine.Project, in DeleteInput) (DeleteResult, error) {
	_, text, err := boardFor(ctx, p, in.ID, in.Project)
	// A task that does not exist is not an error: another client may have deleted it.
	if _, elsewhere := errors.AsType[*spec.NotFoundError](err); elsewhere {
		return DeleteResult{}, nil
	}
	if err != nil {
		return DeleteResult{}, err
	}
	if err := store.FinishKilled(ctx, p.Store); err != nil {
		return DeleteResult{}, engine.Wrap(err, "")
	}
	id, err := engine.Find(ctx, p, text)
	_, missing := errors.AsType[*spec.NotFoundError](err)
	_, malformed := errors.AsType[*spec.IDError](err)
	if missing || malformed {
		return DeleteResult{}, nil
	}
	if err == nil {
		err = engine.MayInside(p, "cancel", id)
	}
	if err != nil {
		return DeleteResult{}, engine.Wrap(err, text)
	}
	h, err := engine.Hold(ctx, p, id, "update")
	if err != nil {
		return DeleteResult{}, engine.Wrap(err, id)
	}
	result, err := deleteHeld(ctx, p, id)
	return engine.Done(result, errors.Join(err, h.Release()), id)
}

func deleteHeld(ctx context.Context, p *engine.Project, id string) (DeleteResult, error) {
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return DeleteResult{}, err
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return DeleteResult{}, err
	}
	switch {
	case s.Branch != "":
		return DeleteResult{}, refuseDelete(engine.State, next.Reset.On(id), "spec %q has a run on branch %q; reset it first", id, s.Branch)
	case len(g.Members(id)) > 0:
		return DeleteResult{}, refuseDelete(engine.State, next.Show.On(id), "spec %q has members: %s", id, strings.Join(g.Members(id), ", "))
	}
	if needed := dependents(g, id); len(needed) > 0 {
		return DeleteResult{}, refuseDelete(engine.Blocked, next.Deps.On(id), "%s depends on task %q; remove the dependency first", strings.Join(needed, ", "), task.KeyOf(&s.Spec))
	}
	tracked, err := p.Store.Tracked(ctx)
	if err != nil {
		return DeleteResult{}, err
	}
	// Without history the deletion could not be undone.
	if !tracked {
		return DeleteResult{}, refuseDelete(engine.State, next.Show.On(id), "git ignores the specs here, so the text of spec %q would be lost; cancel it instead", id)
	}
	// Before the removal, so that the history has all of the text.
	if _, err := p.Store.CommitEdits(ctx, id); err != nil {
		return DeleteResult{}, err
	}
	return remove(ctx, p, s)
}

// remove removes the file of a spec.
func remove(ctx context.Context, p *engine.Project, s *spec.File) (DeleteResult, error) {
	b := store.NewBatch(p.Store)
	b.Remove(s.ID, "delete", s.Doc.Bytes())
	saved, err := b.Commit(ctx, "delete a task")
	return DeleteResult{Deleted: err == nil, ID: task.KeyOf(&s.Spec), Commit: saved.Commit}, err
}

// refuseDelete is an engine error with the fault that clients of lotar expect.
func refuseDelete(code engine.Code, step next.Step, format string, args ...any) error {
	e := engine.Fail(code, step, format, args...)
	e.Err = &task.Fault{Code: task.DeleteFailed, Message: "Task delete failed", Data: map[string]any{"message": e.Message}}
	return e
}

// dependents lists the open tasks that depend on a spec.
func dependents(g *spec.Graph, id string) []string {
	var out []string
	for _, other := range g.Specs() {
		// What is done does not wait any more.
		if slices.Contains(other.Fields.DependsOn, id) && other.Status != spec.Completed && other.Status != spec.Cancelled {
			out = append(out, task.KeyOf(other))
		}
	}
	return out
}
