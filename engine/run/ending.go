package run

import (
	"slices"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
)

// ending is what follows a failure: what happens to branch, worktree and status.
type ending struct {
	undo     bool       // what the steps before the first agent have created is removed
	takeBack bool       // the rebase or merge that was begun is aborted
	commit   bool       // what is uncommitted in the worktree is committed
	retry    bool       // the agent is started again instead, if its failure allows that
	event    spec.Event // the event that changes the status, "" for none
}

// circumstances are what the ending depends on, besides the step and the kind of the failure.
type circumstances struct {
	begun   bool // an agent may have touched the worktree, in any attempt
	asked   bool // a person asks whether the work is done
	stopped bool // a person or a signal has stopped the run
}

// decideEnding decides what follows a failure in a step.
func decideEnding(step journal.Step, code spec.ReasonCode, c circumstances) ending {
	switch {
	// An earlier attempt may have left work, which undoing would remove.
	case attempt.Precedes(step, journal.Agent) && !c.begun:
		return ending{undo: true}
	// Before the case of a stop: an update that was begun is taken back then, too.
	case step == journal.Rebase || step == journal.Resolve:
		return ending{takeBack: true, event: eventUnlanded(code)}
	// The work has landed, so its status stays.
	case step == journal.Clean:
		return ending{}
	case step == journal.Land:
		return ending{event: eventUnlanded(code)}
	// The spec stays as the person has left it.
	case c.asked:
		return ending{}
	case c.stopped:
		return ending{commit: true, event: spec.Pause}
	}
	return ending{retry: true, event: eventFor(code)}
}

// eventFor returns the event of work that is not complete.
func eventFor(code spec.ReasonCode) spec.Event {
	if slices.Contains([]spec.ReasonCode{spec.ReasonTampered, spec.ReasonWeakened, spec.ReasonStrayed, spec.ReasonOutput}, code) {
		return spec.Flag
	}
	return spec.Fail
}

// eventUnlanded returns the event of complete work that did not land: it stays completed unless a person must act
// before it can land.
func eventUnlanded(code spec.ReasonCode) spec.Event {
	looks := []spec.ReasonCode{spec.ReasonConflict, spec.ReasonEdits, spec.ReasonTampered, spec.ReasonWeakened, spec.ReasonStrayed}
	if code.FailsVerification() || slices.Contains(looks, code) {
		return spec.Flag
	}
	return ""
}
