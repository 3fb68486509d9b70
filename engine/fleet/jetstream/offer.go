package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"

	"chant/engine/fleet"
	"chant/engine/fleet/subject"
)

// Offer puts an entry into the queue, unless its spec is in the queue, with whatever needs.
func (b *Broker) Offer(ctx context.Context, e fleet.Entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if e.ID == "" || len(text) > entryMost {
		return b.problem(fleet.Misused, nil, "an entry with the id %q and %d bytes cannot be offered", e.ID, len(text))
	}
	there, err := b.last(ctx, b.project.WorkStream(), b.project.WorkAs(e.ID))
	if err != nil || there.seq != 0 {
		return err
	}
	class, err := b.ensureClass(ctx, e.Needs)
	if err != nil {
		return err
	}
	_, err = b.store(ctx, b.project.WorkStream(), b.project.Work(class, e.ID), text, 0)
	if api := apiError(err); api != nil && api.ErrorCode == codeStoreFailed {
		// Probably because the subject has a message, which the server's answer does not say in a code.
		if now, readErr := b.last(ctx, b.project.WorkStream(), b.project.WorkAs(e.ID)); readErr == nil && now.seq != 0 {
			err = errChanged
		}
	}
	if err == nil {
		// If the server lost its storage meanwhile, the class is missing, too.
		_, err = b.ensureClass(ctx, e.Needs)
	}
	if errors.Is(err, errChanged) {
		return nil // another node has offered it
	}
	if err != nil {
		return err
	}
	return b.Tell(ctx, fleet.Change{Kind: fleet.Offered, ID: e.ID})
}

// Withdraw removes an entry that no node works on. A node that takes it at the same moment keeps it.
func (b *Broker) Withdraw(ctx context.Context, id string) error {
	stream := b.project.WorkStream()
	entry, err := b.last(ctx, stream, b.project.WorkAs(id))
	if err != nil || entry.seq == 0 {
		return err
	}
	_, taker, err := b.taker(ctx, id)
	if err != nil {
		return err
	}
	if taker.Entry == entry.seq && taker.Over == "" {
		return nil
	}
	return b.try(ctx, func() error {
		s, err := b.stream(ctx, stream)
		if err != nil {
			return err
		}
		err = b.once(ctx, "$JS.API.STREAM.MSG.DELETE."+stream, func(ctx context.Context) error { return s.DeleteMsg(ctx, entry.seq) })
		if errors.Is(err, natsjs.ErrMsgNotFound) {
			return nil
		}
		return err
	})
}

// Backlog counts the entries. The age of the oldest is measured by the server.
func (b *Broker) Backlog(ctx context.Context) (fleet.Backlog, error) {
	var out fleet.Backlog
	err := b.try(ctx, func() error {
		out = fleet.Backlog{}
		s, err := b.stream(ctx, b.project.WorkStream())
		if err != nil {
			return err
		}
		now := s.CachedInfo().TimeStamp
		return b.once(ctx, "$JS.API.CONSUMER.LIST."+b.project.WorkStream(), func(ctx context.Context) error {
			list := s.ListConsumers(ctx)
			for c := range list.Info() {
				out.Running += c.NumAckPending
				out.Waiting += int(c.NumPending)
				if c.NumPending == 0 {
					continue
				}
				first, err := b.readOne(ctx, b.project.WorkStream(), search{Next: c.Config.FilterSubject, Seq: c.Delivered.Stream + 1})
				if err != nil {
					return err
				}
				if first.seq != 0 {
					out.Oldest = max(out.Oldest, now.Sub(first.stored), time.Nanosecond)
				}
			}
			return list.Err()
		})
	})
	return out, err
}

// classesFor returns the classes of entries that a node can work.
func (b *Broker) classesFor(ctx context.Context, n fleet.Node) ([]string, error) {
	found, err := b.readAll(ctx, b.project.KeptStream(), b.project.Any("class"))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, m := range found {
		var needs fleet.Needs
		if err := json.Unmarshal(m.data, &needs); err != nil {
			return nil, b.problem(fleet.Unexpected, err, "the class on %q cannot be read: %v", m.subject, err)
		}
		if n.CanWork(needs) {
			out = append(out, subject.ClassOf(needs))
		}
	}
	return out, nil
}
