package spec

// HoldKind is a way in which approval holds a spec back.
type HoldKind string

// The ways.
const (
	HeldForApproval HoldKind = "approval" // it waits for approval
	HeldForWork     HoldKind = "work"     // its work waits for approval
	HeldByEdit      HoldKind = "edited"   // it was edited after its approval
	HeldByChange    HoldKind = "changed"  // its work was changed after its approval
	HeldByRejection HoldKind = "rejected" // it was rejected
)

// Hold says that approval holds a spec back. The zero Hold does not. Decisions read Kind, never the words.
type Hold struct {
	Kind HoldKind
	More string // words that follow those of the kind: " (1 of 2)"
}

// Exists reports whether anything is held back.
func (h Hold) Exists() bool { return h.Kind != "" }

// Waivable reports whether a person who starts a run may do without this approval. No one can do without a rejection, or
// without the approval of work.
func (h Hold) Waivable() bool { return h.Kind == HeldForApproval || h.Kind == HeldByEdit }

// String says it in words that follow "it", "" for the zero Hold.
func (h Hold) String() string {
	switch h.Kind {
	case HeldForApproval, HeldForWork:
		return "waits for " + h.For()
	case HeldByEdit:
		return "was edited after its approval" + h.More
	case HeldByChange:
		return "was changed after its work was approved" + h.More
	case HeldByRejection:
		return "was rejected" + h.More
	}
	return ""
}

// For is what a spec waits for, in words that follow "waits for"; "" where it waits for nothing but a decision.
func (h Hold) For() string {
	switch h.Kind {
	case HeldForApproval:
		return "approval" + h.More
	case HeldForWork:
		return "approval of its work" + h.More
	}
	return ""
}
