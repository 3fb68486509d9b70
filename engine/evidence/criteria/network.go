package criteria

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"chant/engine/spec"
	"chant/providers"
	"chant/providers/wall"
)

// runWithin runs a command in the network that its options name. Without one it is run without a network first. That counts if it
// passes and has tried to reach nothing: then it would pass with one, too. Otherwise it is run again with the network, and that
// counts; if it has tried to reach nothing, both must end the same way again. A command that expects something to fail is not tried: without a network it fails for another reason.
func (c *checker) runWithin(ctx context.Context, at *spot, step Step, cmd providers.Command) (Evidence, error) {
	use := step.Options.Network
	if c.Offline == nil || use == spec.NetworkAll || use == spec.NetworkIfNeeded && c.needsNetwork(step) {
		return c.runOpen(ctx, at, step, cmd)
	}
	offline, err := c.Offline(at.Wall, at.Tree, use == spec.NetworkOff)
	if use != spec.NetworkIfNeeded && err != nil {
		return Evidence{}, err
	}
	if offline == nil {
		if use != spec.NetworkIfNeeded {
			c.warn(fmt.Sprintf("verify.network: %s has no effect here, without a sandbox of criteria: `%s`", use, step.Line))
		}
		ev, _, err := c.runOften(ctx, at, step, cmd)
		return ev, err
	}
	open := cmd.Wall
	cmd.Wall = offline
	ev, unreached, err := c.runOften(ctx, at, step, cmd)
	if use == spec.NetworkIfNeeded && errors.Is(err, wall.ErrNoNetwork) {
		// Nobody has asked for this network.
		cmd.Wall = open
		ev, _, err := c.runOften(ctx, at, step, cmd)
		return ev, err
	}
	ev.Network = spec.NetworkLoopback
	if use != spec.NetworkIfNeeded {
		ev.Network, ev.unreached = use, unreached
		return ev, err
	}
	if err != nil || !unreached && ev.failure(cmd.Timeout) == "" {
		return ev, err
	}
	cmd.Wall = open
	again, err := c.runOpen(ctx, at, step, cmd)
	if err != nil {
		return again, err
	}
	again.Offline = &CommandRun{ev.ExitCode, ev.TimedOut, ev.Seconds}
	switch {
	case again.failure(cmd.Timeout) != "":
		// It fails in both, and may have come to nothing that needs a network.
		if !unreached {
			again.Network = spec.NetworkIfNeeded
		}
		return again, nil
	case !unreached:
		// The network may have nothing to do with it: then the command ends as it happens to.
		cmd.Wall = offline
		third, _, err := c.runOften(ctx, at, step, cmd)
		if err != nil {
			return third, err
		}
		if third.failure(cmd.Timeout) == "" {
			ev.Runs = slices.Concat(ev.allRuns(), again.allRuns(), third.allRuns())
			ev.Tries = len(ev.Runs)
			return ev, nil
		}
		cmd.Wall = open
		fourth, err := c.runOpen(ctx, at, step, cmd)
		if err != nil {
			return fourth, err
		}
		if fourth.failure(cmd.Timeout) != "" {
			fourth.Runs = slices.Concat(ev.allRuns(), again.allRuns(), third.allRuns(), fourth.allRuns())
			fourth.Tries = len(fourth.Runs)
			return fourth, nil
		}
	}
	c.LearnNeed(step.Line, step.Options.Dir)
	return again, nil
}

// needsNetwork reports whether a command is run with the network at once: it needed it before, or it expects a failure.
func (c *checker) needsNetwork(step Step) bool {
	return expectsFailure().MatchString(step.Line) || c.NeedsNetwork(step.Line, step.Options.Dir)
}

// expectsFailure finds the ! of a shell.
var expectsFailure = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s;&|({])!\s`) })

// runOpen runs a command with the network.
func (c *checker) runOpen(ctx context.Context, at *spot, step Step, cmd providers.Command) (Evidence, error) {
	ev, _, err := c.runOften(ctx, at, step, cmd)
	ev.Network = spec.NetworkAll
	return ev, err
}

// FailsWithNetwork reports whether a command failed with the network of the machine, which everything on it may use.
func (v Verdict) FailsWithNetwork() bool {
	return !v.Holds && slices.ContainsFunc(v.Evidence, func(e Evidence) bool { return e.Network == spec.NetworkAll })
}

// allRuns are the runs of a command, also if there was but one.
func (e Evidence) allRuns() []CommandRun {
	if e.Runs != nil {
		return e.Runs
	}
	return []CommandRun{{e.ExitCode, e.TimedOut, e.Seconds}}
}
