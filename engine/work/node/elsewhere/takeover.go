package elsewhere

import (
	"context"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/work"
)

// Takeover stops the run of a spec, wherever it is, and hands it to a person in this clone: its branch as it was pushed,
// in a worktree. No machine of the fleet continues it. Errors: as work.Takeover and Pause; State for a spec that is
// completed, or of which nothing was pushed.
func Takeover(ctx context.Context, p *engine.Project, in work.TakeoverInput) (work.TakeoverResult, error) {
	c, err := claimed(ctx, p, in.ID)
	if err != nil || c.ID == "" {
		return work.Takeover(ctx, p, in)
	}
	if err := engine.MayInside(p, "takeover", c.ID); err != nil {
		return work.TakeoverResult{}, err
	}
	if err := takeOver(ctx, p, c.ID); err != nil {
		return work.TakeoverResult{}, engine.Wrap(err, c.ID)
	}
	return work.Takeover(ctx, p, work.TakeoverInput{ID: c.ID})
}

func takeOver(ctx context.Context, p *engine.Project, id string) error {
	q, err := connect(ctx, p, id)
	if err != nil {
		return err
	}
	return q.close(q.takeOver(ctx))
}

// takeOver brings the run here, once no machine works on it.
func (q *party) takeOver(ctx context.Context) error {
	c, err := q.ask(ctx, fleet.Command{Order: fleet.Stop}, func(c fleet.Held) bool { return c.State != fleet.Working })
	if err != nil {
		return err
	}
	if c.Hash == "" || c.State == fleet.Completed {
		return engine.Fail(engine.State, next.FleetStatus.On(), "spec %q is completed, and the fleet lands it", q.id)
	}
	tip, err := q.remote.Branch(ctx, q.id)
	if err != nil {
		return err
	}
	if tip == "" {
		return engine.Fail(engine.State, next.FleetRetry.On(q.id), "the remote has no branch of spec %q to take over", q.id)
	}
	// The claim comes first: whoever has it now pushes nothing more.
	err = q.remote.Settle(ctx, fleet.Done{Held: c, Branch: tip}, tip, func(c *fleet.Claim) {
		c.State, c.Status, c.Reason, c.Questions = fleet.Ended, string(spec.Paused), "it was taken over on "+q.node, nil
	})
	if err != nil {
		return err
	}
	_, err = advice.WithHold(ctx, q.p, q.id, "takeover", func(h *engine.Held) (struct{}, error) {
		if err := run.Receive(ctx, q.p, h, run.Received{ID: q.id, Tip: tip, Attempt: c.Attempt}); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, run.OpenTree(ctx, q.p, h)
	})
	return err
}
