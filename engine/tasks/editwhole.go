package tasks

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/store"
	"chant/engine/taskboard"
)

// EditWhole changes several specs, and what also adds to the batch, in one commit. If one of them fails, nothing has
// changed. word names the change in the commit, subject a commit of several.
func EditWhole(
	ctx context.Context, p *engine.Project, board taskboard.Board, ids []string, word, subject string, plan Plan, also func(*store.Batch),
) (saved store.Saved, err error) {
	e := &Editor{Project: p, Board: board, Batch: store.NewBatch(p.Store), word: word}
	targets, failed := resolveAll(ctx, p, ids)
	held, err := holdAll(ctx, p, targets, failed, nil)
	defer func() { err = errors.Join(err, releaseAll(held)) }()
	if err != nil {
		return saved, err
	}
	for _, text := range ids {
		failure := failed[text]
		if failure == nil {
			failure = e.plan(ctx, held[targets[text]], targets[text], plan)
		}
		if failure != nil {
			return saved, fail(failure, text)
		}
	}
	also(e.Batch)
	defer p.Repo.PrepareCommit(ctx)()
	return e.commit(ctx, subject)
}
