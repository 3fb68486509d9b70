package fleet

import (
	"context"
	"errors"
	"time"
)

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

// Broker is a queue of many machines, with what they have to share besides the queue.
type Broker interface {
	Queue
	// Tell reports a change to whoever watches. Only hubs may.
	Tell(ctx context.Context, c Change) error
	// Backlog returns what waits, and for how long the oldest entry has.
	Backlog(ctx context.Context) (Backlog, error)
	// Withdraw removes an entry that no node works on. Removing one that is not there is no error.
	Withdraw(ctx context.Context, id string) error

	// Register reports that a node is alive, and what it does; its record disappears after Patience.
	Register(ctx context.Context, n Node) error
	// Unregister removes the record of a node.
	Unregister(ctx context.Context, name string) error
	// Nodes lists the nodes that are alive, by name. Only the one that has the lease of the leader is Landing, whatever it says.
	Nodes(ctx context.Context) ([]Node, error)

	// Lease takes or renews the lease of a role for a holder. held is false if another holder has it. It ends after
	// Patience.
	Lease(ctx context.Context, role, holder string) (held bool, err error)
	// Release gives a lease back; releasing that of another holder changes nothing.
	Release(ctx context.Context, role, holder string) error

	// Ask changes a shared value as its rule says, and returns the answer of the rule. Error: a *Problem of the kind
	// Forbidden for a spec that the node has not taken.
	Ask(ctx context.Context, by string, w Wish) (answer []byte, err error)
	// Keep answers what nodes ask of hubs, until the context ends. Several hubs may do so at once.
	Keep(ctx context.Context, k Keeping) error
	// Takers lists the nodes that have taken the entry of a spec and may have worked on it, none if that is unknown.
	Takers(ctx context.Context, id string) ([]string, error)

	// Sign returns a signature of a text with the key of this connection, "" if it has none.
	Sign(text []byte) (string, error)
	// Verify checks that a node has signed a text, if the queue has the keys of the nodes (Trust). Error: ErrNotSigned.
	Verify(ctx context.Context, node string, text []byte, signature string) error
	// Trust makes these the public keys of the nodes.
	Trust(ctx context.Context, keys map[string]string) error

	// Log appends to what a node logs about a spec.
	Log(ctx context.Context, node, id string, text []byte) error
	// Follow returns the last part of what a node has logged about a spec, and what it appends until the context ends; then
	// the channel is closed. The first empty piece means that all that was there has been returned; other pieces are not
	// empty.
	Follow(ctx context.Context, node, id string) (<-chan []byte, error)

	// Command sends a command to a node.
	Command(ctx context.Context, c Command) error
	// Commands returns the commands to a node from now on until the context ends; then the channel is closed.
	Commands(ctx context.Context, node string) (<-chan Command, error)

	Close() error
}

// Keeping is how a hub answers what nodes ask.
type Keeping struct {
	Rules map[string]Rule // of shared values, by kind
	// Holds reports whether a node has the claim on a spec in git, for a queue that has lost what it knew; may be nil.
	Holds func(ctx context.Context, node, id string) bool
	// Report is told what a node has tried that it must not do, once for each kind of it; may be nil.
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
