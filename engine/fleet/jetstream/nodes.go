package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

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
// hides no other one.
func (b *Broker) Nodes(ctx context.Context) ([]fleet.Node, error) {
	found, err := b.readAll(ctx, b.project.LiveStream(), b.project.Any("node"))
	if err != nil {
		return nil, err
	}
	leader, err := b.last(ctx, b.project.LiveStream(), b.project.Lease(fleet.LeaderRole))
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
		n.Name = name
		n.Landing = n.Landing && string(leader.data) == name
		out = append(out, n)
	}
	slices.SortFunc(out, func(x, y fleet.Node) int { return strings.Compare(x.Name, y.Name) })
	return out, nil
}

// Lease takes or renews the lease of a role. It ends after the patience of the queue.
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

// Release gives a lease back.
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
// another node was faster. An empty message stands for none.
func (b *Broker) change(ctx context.Context, stream, on string, compute func([]byte) ([]byte, error)) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := b.last(ctx, stream, on)
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
		if _, err = b.store(ctx, stream, on, now, m.seq); !errors.Is(err, errChanged) {
			return err
		}
	}
}
