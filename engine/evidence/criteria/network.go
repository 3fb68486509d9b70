package criteria

import (
	"context"

	"chant/engine/spec"
	"chant/providers"
)

// runWithin runs a command in the network that its options name. Without one it is run without a network first. That counts
// if it tried to reach nothing, and has passed, now or before: then it would end in the same way with one. Otherwise it is run
// again with the network, and that counts.
func (c *checker) runWithin(ctx context.Context, at *spot, step Step, cmd providers.Command) (Evidence, error) {
	use := step.Options.Network
	// Of a command that was found to need the network, the result without it says nothing.
	if c.Offline == nil || use == spec.NetworkAll || use == spec.NetworkIfNeeded && c.Reach(step.Line, step.Options.Dir) == spec.NetworkAll {
		return c.runOpen(ctx, at, step, cmd)
	}
	offline, err := c.Offline(at.Wall, at.Tree, use == spec.NetworkOff)
	if use != spec.NetworkIfNeeded && err != nil {
		return Evidence{}, err
	}
	if offline == nil {
		ev, _, err := c.runOften(ctx, at, step, cmd)
		return ev, err
	}
	open := cmd.Wall
	cmd.Wall = offline
	ev, unreached, err := c.runOften(ctx, at, step, cmd)
	ev.Network = spec.NetworkLoopback
	if use != spec.NetworkIfNeeded {
		ev.Network, ev.unreached = use, unreached
		return ev, err
	}
	passed := ev.failure(cmd.Timeout) == ""
	if err != nil || !unreached && (passed || c.Reach(step.Line, step.Options.Dir) == spec.NetworkLoopback) {
		if passed {
			c.Learn(step.Line, step.Options.Dir, spec.NetworkLoopback)
		}
		return ev, err
	}
	cmd.Wall = open
	again, err := c.runOpen(ctx, at, step, cmd)
	if err != nil {
		return again, err
	}
	if unreached || again.failure(cmd.Timeout) == "" {
		c.Learn(step.Line, step.Options.Dir, spec.NetworkAll)
	} else {
		// It fails in both, and may have come to nothing that needs a network.
		again.Network = spec.NetworkIfNeeded
	}
	return again, nil
}

// runOpen runs a command with the network.
func (c *checker) runOpen(ctx context.Context, at *spot, step Step, cmd providers.Command) (Evidence, error) {
	ev, _, err := c.runOften(ctx, at, step, cmd)
	ev.Network = spec.NetworkAll
	return ev, err
}
