package run

import "time"

// Kind says what sort of thing stopped a run.
type Kind string

// The kinds of failure.
const (
	AgentFailed Kind = "agent"       // the agent CLI failed, timed out or did nothing
	Unverified  Kind = "unverified"  // a criterion does not hold
	Tampered    Kind = "tampered"    // criteria, other specs or settings were changed
	BadOutput   Kind = "output"      // the agent's final output does not fit output_schema
	BadSchema   Kind = "schema"      // output_schema is none that can be used
	Strayed     Kind = "strayed"     // the work is not on the run's branch
	Conflicted  Kind = "conflict"    // it does not merge with the target
	InTheWay    Kind = "in-the-way"  // the person's own edits keep the target from moving
	CheckedOut  Kind = "checked-out" // something that is not ours has the branch, or stands where the worktree belongs
	Withdrawn   Kind = "withdrawn"   // a person took back approval, landing or the spec itself
	SetUp       Kind = "setup"       // the worktree could not be set up
	Moved       Kind = "moved"       // the target kept moving while we tried to land, or was rewound
	TargetGone  Kind = "target-gone" // the target was renamed or deleted
	Foreign     Kind = "foreign"     // chant has not completed the branch in this repository
	Changed     Kind = "changed"     // the branch has changed since the spec was completed
)

// Words that stand in a failure's message, and so in the spec's reason, by which
// Diagnose knows it again.
const (
	NoMerge    = "does not merge with"
	NoReplay   = "cannot be replayed on"
	NotHolding = " not hold"
	NoLonger   = "verified again, it no longer holds"
)

// Failure is why a run did not get to its end. The run's branch says so too.
type Failure struct {
	Kind    Kind
	Message string
	Details []string  // files, criteria, …: one line each
	Next    string    // command that leads on, "" for the kind's own
	Again   time.Time // when the run goes on by itself, zero = it does not
}

// Error is the message.
func (f *Failure) Error() string { return f.Message }
