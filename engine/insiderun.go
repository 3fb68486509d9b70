package engine

import "chant/gitops"

// insideRun tells whether the caller stands in the worktree of this spec's run while
// a process is at work on it: as its agent does. In a run that was paused or taken
// over the same folder is a place like any other.
func (e *Engine) insideRun(id string) bool {
	if e.store.RunOf() != id {
		return false
	}
	holder, held := gitops.HeldBy(e.store.LockPath(id))
	return held && !writes(holder)
}

// insideRun is the refusal of what the agent of a run cannot do to its own spec.
func insideRun(id string) *Error {
	return fail(State, "", "you are inside the run of %q; end your turn and chant goes on with it", id)
}

// outsideRun refuses what only somebody outside of the spec's run can do.
func (e *Engine) outsideRun(id string) error {
	if e.insideRun(id) {
		return insideRun(id)
	}
	return nil
}
