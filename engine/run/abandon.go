package run

import (
	"context"
	"errors"

	"chant/engine/journal"
	"chant/engine/spec"
)

// Abandon settles a run whose process died, as that process would have done had it
// been told to stop: undone when no agent had begun, else paused with everything the
// agent left committed. Work that was complete stays what it is, and what was under way
// to bring its branch up to date is taken back. The attempt is closed. The caller holds
// the run's lock, and nothing of the run is alive.
func (r *Run) Abandon(ctx context.Context) (err error) {
	if r.Log, err = r.Store.OpenLog(r.Job.ID, r.Job.Attempt, "its process died", r.Now); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Log.Close()) }()
	if err := r.Record(journal.Settle, journal.Begin, nil); err != nil {
		return err
	}
	switch {
	case r.standsComplete(ctx):
		err = r.stepBack(ctx)
	case r.History.AgentBegan():
		err = errors.Join(r.Trees.Leftovers(ctx), r.Guard.FindSideEffects(ctx), r.transition(ctx, spec.Pause, spec.ReasonDied, "its process died while the agent worked"))
	default:
		err = r.undo(ctx)
	}
	if err != nil {
		return err
	}
	return errors.Join(r.Record(journal.Settle, journal.Done, nil), r.close(ctx))
}

// standsComplete reports whether the work is complete, by the journal and by the branch.
func (r *Run) standsComplete(ctx context.Context) bool {
	s, err := r.OwnSpec(ctx)
	return err == nil && r.History.WorkComplete() && (s.Status == spec.Completed || s.Status == spec.NeedsAttention)
}

// stepBack takes back what a process that died had begun to catch up with the target,
// and notes that it did: what is under way in the tree from now on is a person's.
func (r *Run) stepBack(ctx context.Context) error {
	if err := r.Trees.TakeBack(ctx); err != nil {
		return err
	}
	if step := r.History.CutShort(); step != "" {
		return r.Record(step, journal.Note, "taken back")
	}
	return nil
}
