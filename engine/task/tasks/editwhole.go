package tasks

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/store"
	"chant/engine/task/taskboard"
)

// EditWhole changes several specs, and what also adds to the batch, in one commit. If one of them fails, nothing has
// changed. word names the change in the commit, subject a commit of several.
func EditWhole(
	ctx context.Context, p *engine.Project, board taskboard.Board, ids []string, word, subject string, plan Plan, also func(*store.Batch),
) (saved store.Saved, err error) {
	e := newEditor(p, board, word)
	err = e.hold(ctx, ids, nil)
	defer func() { err = errors.Join(err, releaseAll(e.all)) }()
	if err != nil {
		return saved, err
	}
	for _, id := range ids {
		if err := e.plan(ctx, id, plan); err != nil {
			return saved, asEngineError(err, id)
		}
	}
	also(e.Batch)
	return e.commit(ctx, subject)
}
