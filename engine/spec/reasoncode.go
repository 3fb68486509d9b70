package spec

import (
	"strings"

	"chant/markdown"
)

// ReasonCode is the kind of reason for which a run stopped or a spec needs attention. Code decides by it and never by
// the text of the reason, which is for people.
type ReasonCode string

// The codes of a reason. They are written into front matter and journals, so a code keeps its meaning.
const (
	ReasonAgent       ReasonCode = "agent"        // the agent CLI failed, timed out or did nothing
	ReasonUnverified  ReasonCode = "unverified"   // a criterion failed
	ReasonMergedTree  ReasonCode = "merged-tree"  // a criterion failed after merging with the target
	ReasonNothing     ReasonCode = "nothing-done" // there is no commit and no change yet
	ReasonNoCriteria  ReasonCode = "no-criteria"  // there is nothing to verify, and the settings require it
	ReasonSpoiled     ReasonCode = "spoiled"      // commands of criteria changed the files that they check
	ReasonRepository  ReasonCode = "repository"   // commands of criteria changed branches, tags or settings of git
	ReasonTampered    ReasonCode = "tampered"     // criteria, other specs or settings were changed
	ReasonWeakened    ReasonCode = "weakened"     // the work weakens checks, and no person has accepted that
	ReasonOutput      ReasonCode = "output"       // the agent's final output does not match output_schema
	ReasonSchema      ReasonCode = "schema"       // output_schema cannot be used
	ReasonStrayed     ReasonCode = "strayed"      // the work is not on the run's branch
	ReasonConflict    ReasonCode = "conflict"     // the branch does not merge with the target
	ReasonEdits       ReasonCode = "edits"        // the spec was edited in the checkout and on the branch, in the same place
	ReasonInTheWay    ReasonCode = "in-the-way"   // uncommitted edits in the checkout prevent the landing
	ReasonCheckedOut  ReasonCode = "checked-out"  // the branch is checked out elsewhere, or the worktree's folder is in use
	ReasonUnapproved  ReasonCode = "unapproved"   // approval is missing
	ReasonReviewed    ReasonCode = "reviewed"     // a person who has reviewed the work sent it back
	ReasonWithdrawn   ReasonCode = "withdrawn"    // a person rejected or cancelled the spec, or took it back
	ReasonSpecChanged ReasonCode = "spec-changed" // the spec's requirements changed after the work was judged
	ReasonSetup       ReasonCode = "setup"        // the worktree could not be set up
	ReasonMoved       ReasonCode = "moved"        // the target kept moving during the landing, or was rewound
	ReasonTargetGone  ReasonCode = "target-gone"  // the target was renamed or deleted
	ReasonQueue       ReasonCode = "queue"        // the work left the landing queue before its turn
	ReasonRed         ReasonCode = "red"          // its tests must fail until another spec is done, and do not land alone
	ReasonForeign     ReasonCode = "foreign"      // the branch was not completed by chant in this repository
	ReasonChanged     ReasonCode = "changed"      // the branch has changed since the spec was completed
	ReasonStopped     ReasonCode = "stopped"      // a person stopped the run
	ReasonDied        ReasonCode = "died"         // the process of the run died while the agent worked
	ReasonError       ReasonCode = "error"        // anything else: git, the disk
	ReasonDrifted     ReasonCode = "drifted"      // files that the completed spec depends on have changed
	ReasonNoLonger    ReasonCode = "no-longer"    // the completed spec was verified again and failed
	ReasonQuestion    ReasonCode = "question"     // the agent has asked a person, and ended without the answer
	ReasonDriverOpen  ReasonCode = "driver-open"  // a driver's members are done, but its own criteria failed
)

// ReasonCodes lists every code.
func ReasonCodes() []ReasonCode {
	return []ReasonCode{
		ReasonAgent, ReasonUnverified, ReasonMergedTree, ReasonNothing, ReasonNoCriteria, ReasonSpoiled, ReasonRepository,
		ReasonTampered, ReasonWeakened, ReasonOutput, ReasonSchema, ReasonStrayed, ReasonConflict, ReasonEdits, ReasonInTheWay,
		ReasonCheckedOut, ReasonUnapproved, ReasonReviewed, ReasonWithdrawn, ReasonSpecChanged, ReasonSetup, ReasonMoved, ReasonTargetGone, ReasonQueue,
		ReasonRed, ReasonForeign, ReasonChanged, ReasonStopped, ReasonDied, ReasonError, ReasonDrifted, ReasonNoLonger, ReasonQuestion, ReasonDriverOpen,
	}
}

// FailsVerification reports whether the reason is that verification failed or was not possible.
func (c ReasonCode) FailsVerification() bool {
	switch c {
	case ReasonUnverified, ReasonMergedTree, ReasonNothing, ReasonNoCriteria, ReasonSpoiled, ReasonRepository:
		return true
	}
	return false
}

// SetReason returns the edits that write a reason: the code for chant and the text for people.
func SetReason(code ReasonCode, text string) []markdown.Edit {
	return []markdown.Edit{markdown.Set("reason", text), markdown.Set("reason_code", string(code))}
}

// ClearReason returns the edits that remove both.
func ClearReason() []markdown.Edit {
	return []markdown.Edit{markdown.Unset("reason"), markdown.Unset("reason_code")}
}

func reasonCodeWords() string {
	var words []string
	for _, code := range ReasonCodes() {
		words = append(words, string(code))
	}
	return strings.Join(words, ", ")
}
