package run

import (
	"context"
	"errors"

	"chant/engine/spec"
)

// Abandon settles a run whose process died before its agent had ended, as that
// process would have done had it been told to stop: undone when no agent had begun,
// else paused with everything the agent left committed. The attempt is closed. The
// caller holds the run's lock, and nothing of the run is alive.
func (r *Run) Abandon(ctx context.Context) (err error) {
	if r.log, err = r.Store.OpenLog(r.Job.ID, r.Job.Attempt, "its process died", r.Now); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.log.Close()) }()
	if err := r.record(Settle, Begin, nil); err != nil {
		return err
	}
	if r.History.AgentBegan() {
		err = errors.Join(r.leftovers(ctx), r.transition(ctx, spec.Pause, "its process died while the agent worked"))
	} else {
		err = r.undo(ctx)
	}
	if err != nil {
		return err
	}
	return errors.Join(r.record(Settle, Done, nil), r.record(Close, Done, nil))
}
