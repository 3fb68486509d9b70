package work

import (
	"context"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/run"
)

// putAwayOrphan puts away what is left of a run whose branch someone has deleted,
// before another one begins in its place: its tree would be taken for the new run's,
// and with it the files of an old target.
func putAwayOrphan(ctx context.Context, p *engine.Project, r *run.Run, h *engine.Held) error {
	branch, err := p.Store.HasBranch(ctx, h.ID)
	if err != nil || branch || h.History.Open() == nil && !h.History.AgentBegan() {
		return err
	}
	if err := r.Trees.Drop(ctx); err != nil {
		return err
	}
	if h.History, err = journal.ReadHistory(p.Store, h.ID); err != nil {
		return err
	}
	r.History = h.History
	return nil
}
