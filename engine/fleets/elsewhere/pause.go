package elsewhere

import (
	"context"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/remote"
	"chant/engine/work"
)

// Pause pauses the run of a spec, wherever it is, and returns when it has ended. Its work stays on its branch. Errors: as
// work.Pause; State for a machine that is gone, and where commands may not be sent; Conflict for one that does not answer.
func Pause(ctx context.Context, p *engine.Project, in work.PauseInput) (engine.StateResult, error) {
	c, err := claimed(ctx, p, in.ID)
	if err != nil || c.State != fleet.Working {
		return work.Pause(ctx, p, in)
	}
	if err := engine.MayInside(p, "pause", c.ID); err != nil {
		return engine.StateResult{}, err
	}
	result, err := pause(ctx, p, c.ID)
	return engine.Done(result, err, c.ID)
}

func pause(ctx context.Context, p *engine.Project, id string) (engine.StateResult, error) {
	q, err := connect(ctx, p, id)
	if err != nil {
		return engine.StateResult{}, err
	}
	result, err := q.pause(ctx)
	return result, q.close(err)
}

// pause has the machine that works on the spec pause it.
func (q *party) pause(ctx context.Context) (engine.StateResult, error) {
	now, err := q.ask(ctx, fleet.Command{Order: fleet.Stop}, func(c remote.Held) bool { return c.State != fleet.Working })
	if err != nil {
		return engine.StateResult{}, err
	}
	status, err := q.statusOf(ctx, now)
	return engine.StateResult{ID: q.id, Status: status, Commit: now.Tip}, err
}
