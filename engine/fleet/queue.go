package fleet

import (
	"context"
	"time"
)

// Entry is a spec that is ready and waits for a slot.
type Entry struct {
	ID     string `json:"id"`
	Commit string `json:"commit"` // of the target, at which it was found ready
	Needs  Needs  `json:"needs,omitzero"`
}

// Queue is where specs that are ready wait for a slot. Its methods may be called from several goroutines.
type Queue interface {
	// Offer puts an entry into the queue. Offering a spec that waits or is being worked changes nothing.
	Offer(ctx context.Context, e Entry) error
	// Take waits for an entry that the node can work, and takes it. Error: that of the context.
	Take(ctx context.Context, by Node) (Delivery, error)
	// Watch reports what happens to entries from now on, until the context ends; then the channel is closed.
	Watch(ctx context.Context) (<-chan Change, error)
}

// Delivery is an entry that was taken. Without a heartbeat it is delivered to another node after a while (Patience).
// Exactly one of Finish and PutBack ends it.
type Delivery interface {
	Entry() Entry
	// Claimed reports that the claim on the spec has changed, so that others read it.
	Claimed(ctx context.Context) error
	// Heartbeat reports that the spec is still worked on. Error: ErrLost if it was delivered to another node, or that of
	// the connection.
	Heartbeat(ctx context.Context) error
	// Finish removes the entry and reports how the run ended.
	Finish(ctx context.Context, o Outcome) error
	// PutBack returns the entry to the queue; it is delivered again after a while at the earliest, which may be shortened.
	PutBack(ctx context.Context, after time.Duration, why string) error
}

// Outcome is how a run ended on a worker.
type Outcome struct {
	Status string `json:"status"` // of the spec on its branch
	Reason string `json:"reason,omitempty"`
	Code   string `json:"code,omitempty"` // of the error, as engine.Code has it; "" = no error
}

// ChangeKind is what happened to an entry.
type ChangeKind string

// The kinds of changes.
const (
	Offered  ChangeKind = "offered"
	Taken    ChangeKind = "taken"
	PutBack  ChangeKind = "put_back"
	Finished ChangeKind = "finished" // by its worker; it has not landed yet
	Landed   ChangeKind = "landed"   // on the target, in the remote
	Refused  ChangeKind = "refused"  // by the landing, or by those who have closed its pull request
	Opened   ChangeKind = "opened"   // a pull request, for what its worker has finished
)

// Change is something that happened to an entry.
type Change struct {
	Kind    ChangeKind `json:"kind"`
	ID      string     `json:"id"`
	Node    string     `json:"node,omitempty"`
	Outcome Outcome    `json:"outcome,omitzero"`
	Commit  string     `json:"commit,omitempty"` // Landed: the merge commit
	Worker  string     `json:"worker,omitempty"` // Landed: the node that has worked it
}
