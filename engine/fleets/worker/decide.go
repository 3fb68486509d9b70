package worker

import (
	"chant/engine/fleet"
	"chant/engine/fleet/remote"
)

// action is what a worker does with an entry that it was given.
type action string

// The actions.
const (
	take  action = "take"  // claim the spec, and work it
	skip  action = "skip"  // nothing is left to do: remove the entry
	later action = "later" // somebody else is at work: look again later
)

// situation is what a worker knows about the spec of an entry.
type situation struct {
	me    string       // the name of this node
	mine  bool         // this process works on the spec
	claim remote.Held  // Hash "" = there is none
	nodes []fleet.Node // that are alive
	ready bool         // on the target the spec could start
}

// decide says what to do. A claim is taken over only if its worker is not alive, or says itself that it does not work on
// the spec.
func (s situation) decide() (action, string) {
	switch {
	case s.mine:
		return later, "it is being worked on here"
	case s.claim.Hash == "" && s.ready:
		return take, ""
	case s.claim.Hash == "":
		return skip, "it has landed, or is not ready any more"
	}
	switch s.claim.State {
	case fleet.Completed:
		return skip, "it waits for its landing"
	case fleet.Proposed:
		return skip, "it waits for the merge of " + s.claim.Proposal
	case fleet.Ended:
		return skip, "it has ended as " + s.claim.Status
	case fleet.Returned:
		return take, ""
	}
	if s.claim.Worker != s.me && s.works(s.claim.Worker) {
		return later, "it is being worked on by " + s.claim.Worker
	}
	return take, "its worker " + s.claim.Worker + " is gone"
}

// works reports whether a node is alive and works on the spec.
func (s situation) works(name string) bool {
	for _, n := range s.nodes {
		if n.Name != name {
			continue
		}
		for _, id := range n.Running {
			if id == s.claim.ID {
				return true
			}
		}
	}
	return false
}
