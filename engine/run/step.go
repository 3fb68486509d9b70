package run

// Step is one part of a run, in the words of the journal.
type Step string

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
	Settle   Step = "settle" // the run's failure is written to its branch
	Close    Step = "close"  // nothing of the attempt is left to do
	Drop     Step = "drop"   // branch and tree of all attempts so far are gone
	Trust    Step = "trust"  // from here on these criteria count
)

// State says what a record tells of its step.
type State string

// The states of a step.
const (
	Begin  State = "begin"
	Note   State = "note" // something worth keeping while the step is under way
	Done   State = "done"
	Failed State = "failed"
)

// Every run is a part of this line, from some step to some other.
func line() []Step {
	return []Step{Branch, Worktree, Setup, Prompt, Agent, Collect, Verify, Complete, Land, Clean}
}
