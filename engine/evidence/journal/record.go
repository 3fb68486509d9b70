package journal

import (
	"encoding/json"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// Step is one part of a run.
type Step string

// Word is the step as people read it.
func (s Step) Word() string {
	// It is what an agent has left uncommitted.
	if s == Collect {
		return "commit"
	}
	return string(s)
}

// The steps of a run, in order, and the records around them.
const (
	Open     Step = "open" // an attempt begins; carries its Job
	Branch   Step = "branch"
	Worktree Step = "worktree"
	Setup    Step = "setup"
	Prompt   Step = "prompt"
	Agent    Step = "agent"
	Collect  Step = "collect"
	Verify   Step = "verify"
	Complete Step = "complete"
	Land     Step = "land"
	Clean    Step = "clean"
	Rebase   Step = "rebase"  // instead of all steps before collect: the branch is replayed on the target
	Resolve  Step = "resolve" // likewise, but the target is merged into it and an agent resolves conflicts
	Settle   Step = "settle"  // the run's failure is written to its branch
	Close    Step = "close"   // the attempt is finished
	Drop     Step = "drop"    // branch and worktree of all attempts so far are removed; carries a Dropped
	Restore  Step = "restore" // a person has taken the last drop back; carries a Restored
	Trust    Step = "trust"   // from here on these criteria are valid
	Guard    Step = "guard"   // the surroundings of the run when its agent began; note: charges that are no longer true
	Edited   Step = "edited"  // a person edited the spec on the branch; note: in home, committed to the branch since
	Heard    Step = "heard"   // what the agent reported about its session so far
)

// State is how far a step is.
type State string

// The states of a step.
const (
	Begin  State = "begin"
	Note   State = "note" // a detail while the step runs
	Done   State = "done"
	Failed State = "failed"
)

// Record is one line of a journal.
type Record struct {
	Time    time.Time       `json:"time"`
	Attempt int             `json:"attempt"`
	Step    Step            `json:"step"`
	State   State           `json:"state"`
	Data    json.RawMessage `json:"data,omitempty"`
	Next    next.Step       `json:"next,omitzero"`         // of a failure
	Code    spec.ReasonCode `json:"reason_code,omitempty"` // of a failure: its kind
	Home    *HomeCopy       `json:"home,omitempty"`        // of Open, Close and Edited: home's copy then
}

// Vouch records that from now on the criteria in t are valid. Only operations that a person starts may call it.
func Vouch(st *store.Store, id string, attempt int, t Trusted, now time.Time) error {
	// Set here, so that no caller can forget it.
	t.Vouched = true
	raw, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return Append(st, id, Record{Time: now.UTC(), Attempt: attempt, Step: Trust, State: Done, Data: raw})
}
