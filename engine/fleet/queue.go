package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Entry is a spec that is ready and waits for a slot.
type Entry struct {
	ID     string `json:"id"`
	Commit string `json:"commit"` // of the target, at which it was found ready
	Needs  Needs  `json:"needs,omitzero"`
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

// Wish is what a node asks for about a shared value.
type Wish struct {
	Key  string `json:"key"`            // of the value: its kind, a dot and a name
	Spec string `json:"spec,omitempty"` // that the node has taken and for which it asks, "" = none
	Text []byte `json:"text"`
}

// Asker has shared values changed by their rules, as the client of a queue does.
type Asker interface {
	Ask(ctx context.Context, by string, w Wish) (answer []byte, err error)
}

// Asked is a wish as a rule gets it. What it says about the node, the time and the value can be believed.
type Asked struct {
	Wish
	Name string // of the value, after its kind
	Node string
	Now  time.Time // by the server
	Old  []byte    // the value, nil if there is none
}

// Rule decides what a wish makes of a shared value of a kind, nil if nothing, and what the node gets as an answer. It may be
// called again with a newer value, and for the same wish twice. Error: the value stays as it is.
type Rule func(Asked) (value, answer []byte, err error)

// ProblemKind is what prevents the use of a queue, by what can be done about it.
type ProblemKind string

// The kinds of problems.
const (
	Unreachable  ProblemKind = "unreachable"  // nothing listens, or no answer in time
	Unauthorized ProblemKind = "unauthorized" // the server does not accept the credentials
	Untrusted    ProblemKind = "untrusted"    // TLS: an unknown authority, or only one side uses TLS
	NoJetStream  ProblemKind = "no_jetstream" // the server stores nothing
	TooOld       ProblemKind = "too_old"      // the server lacks something that the queue requires
	Forbidden    ProblemKind = "forbidden"    // the role of the user does not allow it
	NoQueue      ProblemKind = "no_queue"     // the server has no queue for the project, and this user may not create one
	StoreFull    ProblemKind = "store_full"   // the server has no room
	Misused      ProblemKind = "misused"      // an option or argument is invalid
	Unexpected   ProblemKind = "unexpected"   // anything else
)

// Problem is the error of a queue on a server.
type Problem struct {
	Kind   ProblemKind
	Server string // its URLs without passwords
	Detail string // what was tried or found
	Err    error  // may be nil
}

// Error names the server, what is wrong and what can be done about it.
func (p *Problem) Error() string {
	text := fmt.Sprintf("queue at %q: %s", p.Server, p.Detail)
	if advice := p.Advice(); advice != "" {
		text += " (" + advice + ")"
	}
	return text
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Advice returns what can be done, without naming a command; "" if nothing is known.
func (p *Problem) Advice() string {
	switch p.Kind {
	case Unreachable:
		return "check that the server runs and that its address and port are right"
	case Unauthorized:
		return "check the credentials file, and that the server knows the user"
	case Untrusted:
		return "use a new invitation; for a server of your own tls:// with its CA file, or nats:// if it has no certificate"
	case NoJetStream:
		return "enable JetStream on the server, for the account of this user"
	case TooOld:
		return "upgrade the server"
	case Forbidden:
		return "the key is for another project, machine or role: use an invitation or credentials for this one"
	case NoQueue:
		return "start the hub of the project first, or check the name of the project"
	case StoreFull:
		return "free or allow more storage on the server"
	}
	return ""
}

// IsForbidden reports whether the key of a connection does not allow what was tried.
func IsForbidden(err error) bool {
	found, ok := errors.AsType[*Problem](err)
	return ok && found.Kind == Forbidden
}

// The times of a fleet. The server of the queue measures them.
const (
	Patience  = 12 * time.Second // without a heartbeat, after which an entry, a lease or a node counts as lost
	HeartRate = 3 * time.Second  // between two heartbeats
)

// LeaderRole is the lease of the node that leads.
const LeaderRole = "leader"

// ErrNotSigned reports that a text does not have the signature of a node.
var ErrNotSigned = errors.New("it does not have the signature of the machine that it names")

// ErrLost reports that an entry was delivered to another node, or a lease has another holder.
var ErrLost = errors.New("it belongs to another node now")

// Keeping is how a hub answers what nodes ask.
type Keeping struct {
	Rules map[string]Rule // of shared values, by kind
	// Holds reports whether a node has the claim on a spec in git, for a queue that has lost what it knew; may be nil.
	Holds func(ctx context.Context, node, id string) bool
	// Report is called with what a node has tried and must not do, once for each kind of it; may be nil.
	Report func(node, what string)
}

// Backlog is what waits in a queue.
type Backlog struct {
	Waiting int           `json:"waiting"` // not delivered yet
	Running int           `json:"running"` // delivered
	Oldest  time.Duration `json:"oldest_ns,omitempty"`
}

// Order is what a command demands.
type Order string

// The orders.
const (
	Stop     Order = "stop"     // the run of a spec: pause it
	Answer   Order = "answer"   // a question of a spec
	Drain    Order = "drain"    // a node: end what runs, take nothing more, leave
	Cordon   Order = "cordon"   // a node: take nothing more, stay
	Uncordon Order = "uncordon" // a node: take entries again
)

// Command is an order to the node that works on a spec, or to a node.
type Command struct {
	Order    Order  `json:"order"`
	Spec     string `json:"spec,omitempty"`
	Node     string `json:"node"`
	Question string `json:"question,omitempty"`
	Text     string `json:"text,omitempty"` // Answer: the answer
	By       string `json:"by,omitempty"`   // who asks
}
