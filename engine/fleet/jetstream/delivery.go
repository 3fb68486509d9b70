package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"chant/engine/fleet"
)

// delivery is an entry that a node has taken.
type delivery struct {
	broker *Broker
	pulled pulled
	mine   taker
	again  bool
}

// Entry returns the entry that was taken.
func (d *delivery) Entry() fleet.Entry { return d.pulled.entry }

// Again reports whether a node has taken the entry before.
func (d *delivery) Again() bool { return d.again }

// Heartbeat keeps the entry for another while. If the server has lost the record of the taker, it is written again.
func (d *delivery) Heartbeat(ctx context.Context) error {
	b := d.broker
	if err := b.try(ctx, func() error { return b.nc.Publish(d.pulled.ack, []byte("+WPI")) }); err != nil {
		return err
	}
	seq, err := d.check(ctx)
	if err != nil || seq != 0 {
		return err
	}
	return d.write(ctx, d.mine, 0)
}

// Finish removes the entry. If the server has lost it, there is nothing to remove.
func (d *delivery) Finish(ctx context.Context, o fleet.Outcome) error {
	if _, err := d.check(ctx); err != nil {
		return err
	}
	if err := d.acknowledge(ctx, "+ACK"); err != nil {
		return err
	}
	return d.broker.Tell(ctx, fleet.Change{Kind: fleet.Finished, ID: d.pulled.entry.ID, Node: d.mine.Node, Outcome: o})
}

// PutBack returns the entry to its place in the queue, from which it is taken after a while at the earliest.
func (d *delivery) PutBack(ctx context.Context, after time.Duration, why string) error {
	seq, err := d.check(ctx)
	if err != nil {
		return err
	}
	returned := d.mine
	returned.Returned = true
	if err := d.write(ctx, returned, seq); err != nil {
		return err
	}
	answer := "-NAK"
	if after > 0 {
		answer = fmt.Sprintf(`-NAK {"delay":%d}`, after.Nanoseconds())
	}
	if err := d.acknowledge(ctx, answer); err != nil {
		return err
	}
	return d.broker.Tell(ctx, fleet.Change{
		Kind: fleet.PutBack, ID: d.pulled.entry.ID, Node: d.mine.Node, Outcome: fleet.Outcome{Reason: why},
	})
}

// check returns the sequence of the record of the taker, 0 if there is none. Error: fleet.ErrLost if another delivery
// has written it.
func (d *delivery) check(ctx context.Context) (uint64, error) {
	seq, now, err := d.broker.taker(ctx, d.pulled.entry.ID)
	if err != nil {
		return 0, err
	}
	if seq != 0 && now.Lease != d.mine.Lease {
		return 0, fleet.ErrLost
	}
	return seq, nil
}

// write stores the record of the taker in place of the one with a sequence.
func (d *delivery) write(ctx context.Context, t taker, before uint64) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	b := d.broker
	_, err = b.store(ctx, b.project.KeptStream(), b.project.Taker(d.pulled.entry.ID), text, before)
	if errors.Is(err, errChanged) {
		_, err = d.check(ctx) // by another delivery, or by another call for this one
	}
	return err
}

// acknowledge answers the delivery, and waits until the server has it. If the entry is gone, there is nothing to
// answer: if the server has lost its storage, the same sequence may be that of another entry.
func (d *delivery) acknowledge(ctx context.Context, answer string) error {
	b := d.broker
	return b.try(ctx, func() error {
		now, err := b.readOne(ctx, b.project.WorkStream(), search{Last: d.pulled.on})
		if err != nil || now.seq != d.pulled.entrySeq {
			return err
		}
		_, err = b.ask(ctx, d.pulled.ack, nil, []byte(answer))
		return err
	})
}
