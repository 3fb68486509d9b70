package attempt

import (
	"slices"

	"chant/engine/journal"
)

// Every run is a part of this line, from some step to some other, or catches up
// with the target and goes on behind the agent.
func line() []journal.Step {
	return []journal.Step{journal.Branch, journal.Worktree, journal.Setup, journal.Prompt, journal.Agent, journal.Collect, journal.Verify, journal.Complete, journal.Land, journal.Clean}
}

// Part is the line from one step to another, both included.
func Part(from, to journal.Step) []journal.Step {
	steps := line()
	return steps[slices.Index(steps, from) : slices.Index(steps, to)+1]
}

// Before reports whether a step comes before another on the line.
func Before(step, other journal.Step) bool {
	at := slices.Index(line(), step)
	return at >= 0 && at < slices.Index(line(), other)
}
