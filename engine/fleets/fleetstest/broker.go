// Package fleetstest has a broker in memory, for tests of what the nodes of a fleet do.
package fleetstest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"chant/engine/fleet"
	"chant/engine/fleet/budget"
	"chant/engine/fleet/memory"
	"chant/engine/fleet/pace"
)

// Broker is a fleet.Broker in this process. Nodes and leases do not expire by themselves: Expire removes them.
type Broker struct {
	*memory.Queue

	mu       sync.Mutex
	nodes    map[string]fleet.Node
	leases   map[string]string
	shared   map[string][]byte
	logs     map[string]string // by node and spec
	logged   chan struct{}     // closed at the next change of logs
	changes  []chan fleet.Change
	commands map[string][]chan fleet.Command // by node
}

// New returns a broker whose entries are delivered again after patience without a heartbeat.
func New(patience time.Duration) *Broker {
	return &Broker{
		Queue: memory.New(memory.Options{Patience: patience}),
		nodes: map[string]fleet.Node{}, leases: map[string]string{}, shared: map[string][]byte{}, logs: map[string]string{},
		commands: map[string][]chan fleet.Command{},
		logged:   make(chan struct{}),
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

// Ask changes a shared value as its rule says.
func (b *Broker) Ask(_ context.Context, by string, w fleet.Wish) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	kind, name, _ := strings.Cut(w.Key, ".")
	rule := map[string]fleet.Rule{pace.Kind: pace.Rule, budget.Kind: budget.Rule}[kind]
	if rule == nil {
		return nil, fmt.Errorf("there is no shared value %q", w.Key)
	}
	value, answer, err := rule(fleet.Asked{Wish: w, Name: name, Node: by, Now: time.Now(), Old: b.shared[w.Key]})
	if err == nil {
		b.shared[w.Key] = value
	}
	return answer, err
}

// Keep does nothing until the context ends: everybody does here what hubs do for others.
func (b *Broker) Keep(ctx context.Context, _ fleet.Keeping) error {
	<-ctx.Done()
	return ctx.Err()
}

// Takers are not kept.
func (b *Broker) Takers(context.Context, string) ([]string, error) { return nil, nil }

// Sign signs nothing.
func (b *Broker) Sign([]byte) (string, error) { return "", nil }

// Verify accepts everything.
func (b *Broker) Verify(context.Context, string, []byte, string) error { return nil }

// Trust does nothing.
func (b *Broker) Trust(context.Context, map[string]string) error { return nil }

// Log keeps the text.
func (b *Broker) Log(_ context.Context, node, id string, text []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.logs[node+" "+id] += string(text)
	close(b.logged)
	b.logged = make(chan struct{})
	return nil
}

// Logged returns what a node has logged about a spec.
func (b *Broker) Logged(node, id string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.logs[node+" "+id]
}

// Follow returns what a node has logged about a spec, an empty piece, and what is appended.
func (b *Broker) Follow(ctx context.Context, node, id string) (<-chan []byte, error) {
	out := make(chan []byte)
	go func() {
		defer close(out)
		for at, said := 0, false; ; {
			b.mu.Lock()
			piece, more := []byte(b.logs[node+" "+id][at:]), b.logged
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

// Command sends a command to a node.
func (b *Broker) Command(_ context.Context, c fleet.Command) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, ch := range b.commands[c.Node] {
		ch <- c
	}
	return nil
}

// Commands returns the commands to a node.
func (b *Broker) Commands(ctx context.Context, node string) (<-chan fleet.Command, error) {
	in, out := make(chan fleet.Command, 16), make(chan fleet.Command)
	b.mu.Lock()
	b.commands[node] = append(b.commands[node], in)
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
