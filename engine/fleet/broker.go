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

// ErrLost reports that an entry was delivered to another node, or a lease has another holder.
var ErrLost = errors.New("it belongs to another node now")

// Broker is a queue of many machines, with what they have to share besides the queue.
type Broker interface {
	Queue
	// Tell reports a change to whoever watches.
	Tell(ctx context.Context, c Change) error
	// Backlog returns what waits, and for how long the oldest entry has.
	Backlog(ctx context.Context) (Backlog, error)
	// Withdraw removes an entry that no node works on. Removing one that is not there is no error.
	Withdraw(ctx context.Context, id string) error

	// Register reports that a node is alive, and what it does; its record disappears after Patience.
	Register(ctx context.Context, n Node) error
	// Unregister removes the record of a node.
	Unregister(ctx context.Context, name string) error
	// Nodes lists the nodes that are alive, by name.
	Nodes(ctx context.Context) ([]Node, error)

	// Lease takes or renews the lease of a role for a holder. held is false if another holder has it. It ends after
	// Patience.
	Lease(ctx context.Context, role, holder string) (held bool, err error)
	// Release gives a lease back; releasing that of another holder changes nothing.
	Release(ctx context.Context, role, holder string) error

	// Share changes a shared value by comparing its old one: change gets the value, nil if there is none, and is called
	// again if another node was faster. A nil result removes the value.
	Share(ctx context.Context, key string, change func(old []byte) ([]byte, error)) error
	// Shared reads a shared value, nil if there is none.
	Shared(ctx context.Context, key string) ([]byte, error)

	// Now returns the time of the server, by which machines with different clocks can agree.
	Now(ctx context.Context) (time.Time, error)

	// Log appends to the log of a spec that others can follow.
	Log(ctx context.Context, id string, text []byte) error
	// Follow returns the last part of a spec's log and what is appended until the context ends; then the channel is
	// closed. The first empty piece means that all that was there has been returned; other pieces are not empty.
	Follow(ctx context.Context, id string) (<-chan []byte, error)

	// Command sends a command to the nodes, each of which decides whether it is meant.
	Command(ctx context.Context, c Command) error
	// Commands returns the commands that are sent from now on until the context ends; then the channel is closed.
	Commands(ctx context.Context) (<-chan Command, error)

	Close() error
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
	Node     string `json:"node,omitempty"` // "" = the one that works on Spec, or all
	Question string `json:"question,omitempty"`
	Text     string `json:"text,omitempty"` // Answer: the answer
	By       string `json:"by,omitempty"`   // who asks
}
