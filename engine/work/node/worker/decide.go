package worker

import (
	"slices"

	"chant/engine/fleet"
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
	claim fleet.Held   // Hash "" = there is none
	nodes []fleet.Node // that are alive
	// unsure says that the server was away a moment ago, so that nodes which are alive may be missing.
	unsure bool
	ready  bool   // on the target the spec could start
	over   string // why nothing is left to do on the target: it is gone, completed or cancelled there; "" otherwise
}

// decide says what to do. A claim is taken over only if its worker is not alive, or says itself that it does not work
// on the spec.
func (s situation) decide() (action, string) {
	switch {
	case s.mine:
		return later, "it is being worked on here"
	case s.over != "":
		return skip, s.over
	case s.claim.Hash == "" && s.ready:
		return take, ""
	case s.claim.Hash == "":
		return skip, "it is not ready any more"
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
	switch {
	case s.claim.Worker == s.me:
		return take, "an earlier process of " + s.me + " has left it"
	case s.works(s.claim.Worker):
		return later, "it is being worked on by " + s.claim.Worker
	case s.unsure && !s.listed(s.claim.Worker):
		return later, "its worker " + s.claim.Worker + " may be about to come back to the queue"
	}
	return take, "its worker " + s.claim.Worker + " is gone"
}

// listed reports whether a node is alive.
func (s situation) listed(name string) bool {
	return slices.ContainsFunc(s.nodes, func(n fleet.Node) bool { return n.Name == name })
}

// works reports whether a node is alive and works on the spec.
func (s situation) works(name string) bool {
	return slices.ContainsFunc(s.nodes, func(n fleet.Node) bool { return n.Name == name && slices.Contains(n.Running, s.claim.ID) })
}
