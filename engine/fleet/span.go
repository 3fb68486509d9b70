package fleet

import "time"

// SpanName says which part of the work on a spec a span is.
type SpanName string

// The parts of the work on a spec. The steps of a run have the names of the journal.
const (
	Whole   SpanName = "run"     // on a worker, from the claim to the last push
	Take    SpanName = "take"    // the push of the claim
	Push    SpanName = "push"    // the last push of the branch, with the claim
	Land    SpanName = "land"    // by the leader: the checks, the merge and its push
	Propose SpanName = "propose" // by the leader: opening a pull request
)

// The statuses of spans that no spec can have.
const (
	WasLost     = "lost"     // another worker has taken the spec over
	WasReturned = "returned" // it is tried again
	WasLanded   = "landed"
	WasMerged   = "merged" // by people, who took the time that they needed
	WasRefused  = "refused"
)

// Span is a part of the work on a spec that is over. The spans with the same spec and lease are one trace, on whichever
// machines they were.
type Span struct {
	Spec    string
	Lease   string
	Node    string
	Attempt int
	Name    SpanName
	Begin   time.Time
	End     time.Time
	Status  string // how it ended, "" = well
}
