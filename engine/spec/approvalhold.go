package spec

// HoldKind is a way in which approval holds a spec back.
type HoldKind string

// The ways in which approval holds a spec back.
const (
	HeldForApproval HoldKind = "approval" // it waits for approval
	HeldForWork     HoldKind = "work"     // its work waits for approval
	HeldByEdit      HoldKind = "edited"   // it was edited after its approval
	HeldByChange    HoldKind = "changed"  // its work was changed after its approval
	HeldByRejection HoldKind = "rejected" // it was rejected
)

// Hold describes how approval holds a spec back. The zero Hold means that it does not. Code decides by Kind and never
// by the words.
type Hold struct {
	Kind HoldKind
	More string // words that follow those of the kind: " (1 of 2 given)"
}

// Exists reports whether the spec is held back.
func (h Hold) Exists() bool { return h.Kind != "" }

// Waivable reports whether a person who starts a run may skip this approval. A rejection and the approval of work
// cannot be skipped.
func (h Hold) Waivable() bool { return h.Kind == HeldForApproval || h.Kind == HeldByEdit }

// String describes the hold in words that follow "it"; it returns "" for the zero Hold.
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

// For returns what the spec waits for, in words that follow "waits for". It returns "" for a spec that was rejected, or
// edited or changed after its approval.
func (h Hold) For() string {
	switch h.Kind {
	case HeldForApproval:
		return "approval" + h.More
	case HeldForWork:
		return "approval of its work" + h.More
	}
	return ""
}
