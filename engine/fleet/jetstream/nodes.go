package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"

	"chant/engine/fleet"
)

// Register stores what a node is and does. The record disappears after the patience of the queue.
func (b *Broker) Register(ctx context.Context, n fleet.Node) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	if n.Name == "" {
		return b.problem(fleet.Misused, nil, "a node without a name cannot be registered")
	}
	_, err = b.store(ctx, b.project.LiveStream(), b.project.Node(n.Name), text, anySequence)
	return err
}

// Unregister removes the record of a node.
func (b *Broker) Unregister(ctx context.Context, name string) error {
	_, err := b.store(ctx, b.project.LiveStream(), b.project.Node(name), nil, anySequence)
	return err
}

// Nodes lists the nodes that are alive, by name. Their names are those of their subjects, and what cannot be read of a node
// hides no other one. Only the one that has the lease of the leader is Landing, whatever it says.
func (b *Broker) Nodes(ctx context.Context) ([]fleet.Node, error) {
	found, err := b.readAll(ctx, b.project.LiveStream(), b.project.Any("node"))
	if err != nil {
		return nil, err
	}
	leader, err := b.readLast(ctx, b.project.LiveStream(), b.project.Lease(fleet.LeaderRole))
	if err != nil {
		return nil, err
	}
	var out []fleet.Node
	for _, m := range found {
		name, ok := b.project.NodeIn(m.subject)
		if !ok || len(m.data) == 0 {
			continue
		}
		var n fleet.Node
		if json.Unmarshal(m.data, &n) != nil {
			n = fleet.Node{Trouble: "what it says about itself cannot be read"}
		}
		// A server restricts subjects and not contents, so only the subject says who has written.
		n.Name = name
		// Any node can claim to lead; the lease decides.
		n.Landing = n.Landing && string(leader.data) == name
		out = append(out, n)
	}
	slices.SortFunc(out, func(x, y fleet.Node) int { return strings.Compare(x.Name, y.Name) })
	return out, nil
}

// Lease takes or renews the lease of a role for a holder. held is false if another holder has it. It ends after the
// patience of the queue.
func (b *Broker) Lease(ctx context.Context, role, holder string) (held bool, err error) {
	err = b.change(ctx, b.project.LiveStream(), b.project.Lease(role), func(now []byte) ([]byte, error) {
		held = len(now) == 0 || string(now) == holder
		if !held {
			return nil, errKeep
		}
		return []byte(holder), nil
	})
	return held && err == nil, err
}

// Release gives a lease back; releasing that of another holder changes nothing.
func (b *Broker) Release(ctx context.Context, role, holder string) error {
	return b.change(ctx, b.project.LiveStream(), b.project.Lease(role), func(now []byte) ([]byte, error) {
		if string(now) != holder {
			return nil, errKeep
		}
		return nil, nil
	})
}

// errKeep makes change leave a value as it is.
var errKeep = errors.New("unchanged")

// change replaces the last message on a subject by what compute makes of it, nil if there is none, and starts again if
// another node was faster. An empty message counts as none.
func (b *Broker) change(ctx context.Context, stream, on string, compute func([]byte) ([]byte, error)) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := b.readLast(ctx, stream, on)
		if err != nil {
			return err
		}
		var old []byte
		if len(m.data) > 0 {
			old = m.data
		}
		now, err := compute(old)
		if errors.Is(err, errKeep) {
			return nil
		}
		if err != nil {
			return err
		}
		// Compared with the sequence that was read, so that no change of another node is lost.
		if _, err = b.store(ctx, stream, on, now, m.seq); !errors.Is(err, errChanged) {
			return err
		}
	}
}

// Tell reports a change to those who watch now. The server allows that to hubs alone.
func (b *Broker) Tell(ctx context.Context, c fleet.Change) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return b.announce(ctx, b.project.Change(c.Kind), text)
}

// Watch reports the changes from now on until the context ends; then the channel is closed. Those that happen while the
// connection is down are missed.
func (b *Broker) Watch(ctx context.Context) (<-chan fleet.Change, error) {
	return listen(ctx, b, b.project.Changes(), func(m *nats.Msg) (c fleet.Change, ok bool) {
		return c, json.Unmarshal(m.Data, &c) == nil
	})
}

// Command sends a command to a node, if it listens now.
func (b *Broker) Command(ctx context.Context, c fleet.Command) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if c.Node == "" {
		return b.problem(fleet.Misused, nil, "a command needs the name of a node")
	}
	return b.announce(ctx, b.project.Command(c.Node), text)
}

// Commands returns the commands to a node from now on until the context ends; then the channel is closed. Those that are
// sent while the connection is down are missed.
func (b *Broker) Commands(ctx context.Context, node string) (<-chan fleet.Command, error) {
	return listen(ctx, b, b.project.Command(node), func(m *nats.Msg) (c fleet.Command, ok bool) {
		return c, json.Unmarshal(m.Data, &c) == nil
	})
}

// listen hands on the messages on a subject that can be read, until the context or the connection ends.
func listen[T any](ctx context.Context, b *Broker, subject string, read func(*nats.Msg) (T, bool)) (<-chan T, error) {
	sub, err := b.subscribe(ctx, subject)
	if err != nil {
		return nil, err
	}
	out := make(chan T)
	b.running.Go(func() {
		defer close(out)
		defer func() { _ = sub.Unsubscribe() }() // fails only if the connection has ended
		for {
			m, err := sub.NextMsgWithContext(ctx)
			if errors.Is(err, nats.ErrSlowConsumer) {
				// Some messages were missed, as when the connection is down.
				continue
			}
			if err != nil {
				return
			}
			v, ok := read(m)
			if !ok {
				continue
			}
			select {
			case out <- v:
			case <-ctx.Done():
				return
			case <-b.closing:
				return
			}
		}
	})
	return out, nil
}

// subscribe subscribes to a subject, and waits until the server knows it.
func (b *Broker) subscribe(ctx context.Context, subject string) (*nats.Subscription, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var sub *nats.Subscription
	err := b.try(ctx, func() error {
		return b.confirm(ctx, subject, func() (err error) {
			if sub == nil {
				sub, err = b.nc.SubscribeSync(subject)
			}
			return err
		})
	})
	if err != nil && sub != nil {
		_ = sub.Unsubscribe() // fails only if the connection has ended
	}
	return sub, err
}
