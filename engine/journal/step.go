package journal

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
	Rebase   Step = "rebase"  // in place of all before collect: the branch is replayed on the target
	Resolve  Step = "resolve" // the same, but the target is merged into it and an agent resolves conflicts
	Settle   Step = "settle"  // the run's failure is written to its branch
	Close    Step = "close"   // nothing of the attempt is left to do
	Drop     Step = "drop"    // branch and tree of all attempts so far are gone
	Trust    Step = "trust"   // from here on these criteria count
	Guard    Step = "guard"   // what stood around the run when its agent began
	Edited   Step = "edited"  // a person has edited the spec on the branch; as a note: in home, and the branch has the edit now
	Heard    Step = "heard"   // what the agent has told of its session so far
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
