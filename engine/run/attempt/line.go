package attempt

import (
	"slices"

	"chant/engine/journal"
)

// line returns all steps in order. A run executes a part of it, or updates its branch from the target first and
// continues after the agent.
func line() []journal.Step {
	return []journal.Step{journal.Branch, journal.Worktree, journal.Setup, journal.Prompt, journal.Agent, journal.Collect, journal.Verify, journal.Complete, journal.Land, journal.Clean}
}

// Part returns the steps from one to another, both included.
func Part(from, to journal.Step) []journal.Step {
	steps := line()
	return steps[slices.Index(steps, from) : slices.Index(steps, to)+1]
}

// Before reports whether a step precedes another.
func Before(step, other journal.Step) bool {
	at := slices.Index(line(), step)
	return at >= 0 && at < slices.Index(line(), other)
}
