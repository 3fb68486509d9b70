package tasks

import (
	"context"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/engine/store"

	"chant/engine/task/taskboard"
)

// GetInput names a task.
type GetInput struct {
	ID      string `json:"id" jsonschema:"Task, such as AUTH-12, or spec id"`
	Project string `json:"project,omitempty" jsonschema:"Prefix, for an id that is only a number"`
}

// Get returns a task, which may be archived. Errors: NotFound.
func Get(ctx context.Context, p *engine.Project, in GetInput) (t task.Task, err error) {
	board, text, err := boardFor(ctx, p, in.ID, in.Project)
	if err != nil {
		return task.Task{}, err
	}
	// One query, so that spec, relations and history are of the same time.
	p.Store.Query(ctx, func(q *store.Query) { t, err = get(ctx, p, q, board, text) })
	if err != nil {
		return task.Task{}, notFound(err, text)
	}
	return t, nil
}

// get reads a task within one query.
func get(ctx context.Context, p *engine.Project, q *store.Query, board taskboard.Board, text string) (task.Task, error) {
	if taskfields.IsKey(text) {
		if id, err := store.FindTask(ctx, q, text); err == nil {
			text = id
		}
	}
	// Archived tasks are shown, too.
	s, err := engine.FindAny(ctx, p, text)
	if err != nil {
		return task.Task{}, err
	}
	return describe(ctx, p, q, board, s)
}

// view returns a task by the id of its spec.
func view(ctx context.Context, p *engine.Project, board taskboard.Board, id string) (task.Task, error) {
	found, err := viewAll(ctx, p, board, []string{id})
	if err != nil {
		return task.Task{}, err
	}
	return found[0], nil
}

// viewAll returns tasks by the ids of their specs.
func viewAll(ctx context.Context, p *engine.Project, board taskboard.Board, ids []string) (found []task.Task, err error) {
	found = make([]task.Task, len(ids))
	p.Store.Query(ctx, func(q *store.Query) {
		for i, id := range ids {
			var s *spec.File
			if s, err = p.Store.Get(ctx, id); err == nil {
				found[i], err = describe(ctx, p, q, board, s)
			}
			if err != nil {
				err = engine.Wrap(err, id)
				return
			}
		}
	})
	return found, err
}

// describe returns a spec as a task with its history.
func describe(ctx context.Context, p *engine.Project, q *store.Query, board taskboard.Board, s *spec.File) (task.Task, error) {
	x, err := pastOf(ctx, p, q, board.Settings, s)
	if err != nil {
		return task.Task{}, err
	}
	x.Blocks = store.Dependents(q, s.ID, blocksOf(&s.Spec))
	x.Key = func(id string) string {
		if other, err := q.Lookup(id); err == nil {
			return task.KeyOf(other)
		}
		return id
	}
	return task.FromSpec(s, board.Settings, x)
}
