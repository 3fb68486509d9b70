package queue

import (
	"context"
	"math"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/spec/schedule"
	"chant/engine/work/node"
)

// executor is how the specs of a scope are worked: by this process, or by a fleet.
type executor struct {
	width int
	pool  *schedule.Pool
	work  schedule.Work
	close func()
}

// chooseExecutor returns who works for a command: the fleet in which the clone takes part, else this process.
func (c *pool) chooseExecutor(ctx context.Context) (executor, error) {
	d, err := node.OpenDispatcher(ctx, c.p)
	if err != nil {
		return executor{}, err
	}
	if d == nil {
		return executor{maxParallel(c.p, c.in), agentPool(c.p, c.in.Provider, c.random), c.work, func() {}}, nil
	}
	if err := c.refuseForFleet(); err != nil {
		return executor{}, err
	}
	wide := c.in.Parallel
	switch {
	case c.in.Chain:
		wide = 1
	case wide == 0:
		// The slots of the fleet are the limit.
		wide = math.MaxInt32
	}
	// The machines choose their agents themselves, so one agent without a limit is enough here.
	anyone := schedule.NewPool([]schedule.Agent{{Name: "fleet"}}, schedule.None, c.random)
	return executor{wide, anyone, func(ctx context.Context, st schedule.Start) schedule.End {
		c.recordStart(st)
		result, err := d.Work(ctx, st.ID)
		end := c.recordEnd(ctx, st, result, engine.Wrap(err, st.ID))
		c.reportSpec(st.ID, result.Title, eventKind(end.Verdict), describeOutcome(result, err))
		return end
	}, d.Close}, nil
}

// refuseForFleet refuses options that a fleet does not know: it gets only the spec to work.
func (c *pool) refuseForFleet() error {
	o := c.in.Options
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"prompt", o.Prompt != ""}, {"model", o.Model != ""}, {"provider", o.Provider != ""}, {"timeout", o.Timeout != ""},
		{"no-merge", o.NoMerge}, {"keep-worktree", o.KeepWorktree},
	} {
		if f.set {
			return engine.Fail(engine.Usage, next.FleetStatus.On(), "this clone takes part in a fleet, whose machines work by what the spec and the settings say: --%s has no effect there", f.name)
		}
	}
	return nil
}
