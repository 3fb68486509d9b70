package run

import (
	"context"
	"errors"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
)

// Abandon settles a run whose process died, as that process would have done after a stop request: undone if no agent
// had started, else paused, with everything that the agent left committed. Complete work keeps its status, and an
// update from the target that was under way is taken back. The attempt is closed. The caller holds the run's lock, and
// no process of the run is alive.
func (r *Run) Abandon(ctx context.Context) (err error) {
	if err := r.Log.Open("its process died"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Log.Close()) }()
	if err := r.Journal.Record(journal.Settle, journal.Begin, nil); err != nil {
		return err
	}
	switch {
	// Complete work is never paused: its agent would do again what is done.
	case r.isComplete(ctx):
		err = r.takeBackUpdate(ctx)
	// Everything is committed before the status is written, so that a pause never leaves loose work behind.
	case r.Journal.History().AgentBegan():
		err = errors.Join(r.Trees.Leftovers(ctx), r.Guard.FindSideEffects(ctx), r.transition(ctx, spec.Pause, spec.ReasonDied, "its process died while the agent worked"))
	default:
		err = r.undo(ctx)
	}
	if err != nil {
		return err
	}
	return errors.Join(r.Journal.Record(journal.Settle, journal.Done, nil), r.close(ctx))
}

// isComplete reports whether the work is complete, by the journal and by the branch.
func (r *Run) isComplete(ctx context.Context) bool {
	s, err := r.OwnSpec(ctx)
	return err == nil && r.Journal.History().WorkComplete() && (s.Status == spec.Completed || s.Status == spec.NeedsAttention)
}

// takeBackUpdate takes back the update from the target that a dead process had begun, and records that: what is under
// way in the worktree from now on is a person's.
func (r *Run) takeBackUpdate(ctx context.Context) error {
	if err := r.Trees.TakeBack(ctx); err != nil {
		return err
	}
	if step := r.Journal.History().InterruptedStep(); step != "" {
		return r.Journal.Record(step, journal.Note, "taken back")
	}
	return nil
}
