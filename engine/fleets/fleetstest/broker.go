// Package fleetstest has a broker in memory, for tests of what the nodes of a fleet do.
package fleetstest

import (
	"context"
	"sync"
	"time"

	"chant/engine/fleet"
	"chant/engine/fleet/memory"
)

// Broker is a fleet.Broker in this process. Nodes and leases do not expire by themselves: Expire removes them.
type Broker struct {
	*memory.Queue

	mu       sync.Mutex
	nodes    map[string]fleet.Node
	leases   map[string]string
	shared   map[string][]byte
	logs     map[string]string
	logged   chan struct{} // closed at the next change of logs
	changes  []chan fleet.Change
	commands []chan fleet.Command
}

// New returns a broker whose entries are delivered again after patience without a heartbeat.
func New(patience time.Duration) *Broker {
	return &Broker{
		Queue: memory.New(memory.Options{Patience: patience}),
		nodes: map[string]fleet.Node{}, leases: map[string]string{}, shared: map[string][]byte{}, logs: map[string]string{},
		logged: make(chan struct{}),
	}
}

var _ fleet.Broker = (*Broker)(nil)

// Tell reports a change to whoever watches.
func (b *Broker) Tell(_ context.Context, c fleet.Change) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, ch := range b.changes {
		select {
		case ch <- c:
		default: // the test does not read
		}
	}
	return nil
}

// Watch reports the changes of the queue and what is told.
func (b *Broker) Watch(ctx context.Context) (<-chan fleet.Change, error) {
	own, err := b.Queue.Watch(ctx)
	if err != nil {
		return nil, err
	}
	told, out := make(chan fleet.Change, 1024), make(chan fleet.Change, 1024)
	b.mu.Lock()
	b.changes = append(b.changes, told)
	b.mu.Unlock()
	go func() {
		defer close(out)
		for {
			var c fleet.Change
			var open bool
			select {
			case <-ctx.Done():
				return
			case c = <-told:
			case c, open = <-own:
				if !open {
					return
				}
			}
			select {
			case out <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

// Backlog is not kept.
func (b *Broker) Backlog(context.Context) (fleet.Backlog, error) { return fleet.Backlog{}, nil }

// Withdraw does nothing: workers skip what has nothing left to do.
func (b *Broker) Withdraw(context.Context, string) error { return nil }

// Register records a node.
func (b *Broker) Register(_ context.Context, n fleet.Node) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nodes[n.Name] = n
	return nil
}

// Unregister forgets a node.
func (b *Broker) Unregister(_ context.Context, name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.nodes, name)
	return nil
}

// Nodes lists the nodes.
func (b *Broker) Nodes(context.Context) ([]fleet.Node, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []fleet.Node
	for _, n := range b.nodes {
		out = append(out, n)
	}
	return out, nil
}

// Lease takes or renews a lease.
func (b *Broker) Lease(_ context.Context, role, holder string) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if has := b.leases[role]; has != "" && has != holder {
		return false, nil
	}
	b.leases[role] = holder
	return true, nil
}

// Release gives a lease back.
func (b *Broker) Release(_ context.Context, role, holder string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.leases[role] == holder {
		delete(b.leases, role)
	}
	return nil
}

// Share changes a shared value.
func (b *Broker) Share(_ context.Context, key string, change func([]byte) ([]byte, error)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, err := change(b.shared[key])
	if err != nil {
		return err
	}
	if b.shared[key] = now; now == nil {
		delete(b.shared, key)
	}
	return nil
}

// Shared reads a shared value.
func (b *Broker) Shared(_ context.Context, key string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shared[key], nil
}

// Now returns the time.
func (b *Broker) Now(context.Context) (time.Time, error) { return time.Now(), nil }

// Log keeps the text.
func (b *Broker) Log(_ context.Context, id string, text []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.logs[id] += string(text)
	close(b.logged)
	b.logged = make(chan struct{})
	return nil
}

// Logged returns what was logged for a spec.
func (b *Broker) Logged(id string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.logs[id]
}

// Follow returns what was logged for a spec, an empty piece, and what is appended.
func (b *Broker) Follow(ctx context.Context, id string) (<-chan []byte, error) {
	out := make(chan []byte)
	go func() {
		defer close(out)
		for at, said := 0, false; ; {
			b.mu.Lock()
			piece, more := []byte(b.logs[id][at:]), b.logged
			b.mu.Unlock()
			if len(piece) > 0 || !said {
				if at += len(piece); len(piece) == 0 {
					said = true
				}
				select {
				case out <- piece:
					continue
				case <-ctx.Done():
					return
				}
			}
			select {
			case <-more:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

// Command sends a command to whoever listens.
func (b *Broker) Command(_ context.Context, c fleet.Command) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, ch := range b.commands {
		ch <- c
	}
	return nil
}

// Commands returns the commands that are sent.
func (b *Broker) Commands(ctx context.Context) (<-chan fleet.Command, error) {
	in, out := make(chan fleet.Command, 16), make(chan fleet.Command)
	b.mu.Lock()
	b.commands = append(b.commands, in)
	b.mu.Unlock()
	go func() {
		defer close(out)
		for {
			select {
			case <-ctx.Done():
				return
			case c := <-in:
				select {
				case out <- c:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return out, nil
}

// Close does nothing.
func (b *Broker) Close() error { return nil }
