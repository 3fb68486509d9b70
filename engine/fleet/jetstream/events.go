package jetstream

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/nats-io/nats.go"

	"chant/engine/fleet"
)

// Tell reports a change to whoever watches now. The server allows that to hubs alone.
func (b *Broker) Tell(ctx context.Context, c fleet.Change) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return b.announce(ctx, b.project.Change(c.Kind), text)
}

// Watch reports the changes from now on. Those that happen while the connection is down are missed.
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

// Commands returns the commands to a node from now on. Those that are sent while the connection is down are missed.
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
				continue // some messages were missed, as when the connection is down
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
func (l *link) subscribe(ctx context.Context, subject string) (*nats.Subscription, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var sub *nats.Subscription
	err := l.try(ctx, func() error {
		return l.confirmed(ctx, subject, func() (err error) {
			if sub == nil {
				sub, err = l.nc.SubscribeSync(subject)
			}
			return err
		})
	})
	if err != nil && sub != nil {
		_ = sub.Unsubscribe() // fails only if the connection has ended
	}
	return sub, err
}
