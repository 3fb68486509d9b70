package engine

import (
	"context"

	"chant/engine/run"
)

// putAwayOrphan puts away what is left of a run whose branch somebody has deleted,
// before another one begins in its place: its tree would be taken for the new run's,
// and with it the files of an old target.
func (e *Engine) putAwayOrphan(ctx context.Context, r *run.Run, h *held) error {
	branch, err := e.store.HasBranch(ctx, h.id)
	if err != nil || branch || h.history.Open() == nil && !h.history.AgentBegan() {
		return err
	}
	if err := r.Drop(ctx); err != nil {
		return err
	}
	if h.history, err = run.ReadHistory(e.store, h.id); err != nil {
		return err
	}
	r.History = h.history
	return nil
}
