package tasks

import (
	"context"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/task"
)

// GetInput names a task.
type GetInput struct {
	ID      string `json:"id" jsonschema:"Task, such as AUTH-12, or spec id"`
	Project string `json:"project,omitempty" jsonschema:"Prefix, for an id that is only a number"`
}

// Get returns a task, which may be archived. Errors: NotFound.
func Get(ctx context.Context, p *engine.Project, in GetInput) (task.Task, error) {
	board, text, err := boardFor(ctx, p, in.ID, in.Project)
	if err != nil {
		return task.Task{}, err
	}
	s, err := engine.FindAny(ctx, p, text)
	if err != nil {
		return task.Task{}, notFound(err, text)
	}
	t, err := describe(ctx, p, board, s)
	return t, engine.Wrap(err, s.ID)
}

// view returns a task by the id of its spec.
func view(ctx context.Context, p *engine.Project, board Board, id string) (task.Task, error) {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return task.Task{}, engine.Wrap(err, id)
	}
	t, err := describe(ctx, p, board, s)
	return t, engine.Wrap(err, id)
}

// describe returns a spec as a task with its history.
func describe(ctx context.Context, p *engine.Project, board Board, s *spec.File) (task.Task, error) {
	x, err := pastOf(ctx, p, board.Settings, s)
	if err != nil {
		return task.Task{}, err
	}
	x.Blocks = store.Dependents(ctx, p.Store, s.ID, blocksOf(&s.Spec))
	x.Key = func(id string) string {
		if other, err := p.Store.Get(ctx, id); err == nil {
			return task.KeyOf(&other.Spec)
		}
		return id
	}
	return task.Of(s, board.Settings, x)
}
