package jetstream

import (
	"context"
	"time"

	"chant/engine/fleet"
)

// delivery is an entry that a hub has taken for a node.
type delivery struct {
	broker *Broker
	node   string
	entry  fleet.Entry
	lease  string
}

// Entry returns the entry that was taken.
func (d *delivery) Entry() fleet.Entry { return d.entry }

// Claimed reports that the claim on the spec has changed.
func (d *delivery) Claimed(ctx context.Context) error { return d.ask(ctx, request{Do: doClaimed}) }

// Heartbeat keeps the entry for another while.
func (d *delivery) Heartbeat(ctx context.Context) error { return d.ask(ctx, request{Do: doBeat}) }

// Finish removes the entry. If the server has lost it, there is nothing to remove.
func (d *delivery) Finish(ctx context.Context, o fleet.Outcome) error {
	return d.ask(ctx, request{Do: doFinish, Outcome: o})
}

// PutBack returns the entry to its place in the queue, from which it is taken after a while at the earliest.
func (d *delivery) PutBack(ctx context.Context, after time.Duration, why string) error {
	return d.ask(ctx, request{Do: doPutBack, After: after, Outcome: fleet.Outcome{Reason: why}})
}

func (d *delivery) ask(ctx context.Context, r request) error {
	r.Spec, r.Lease = d.entry.ID, d.lease
	_, err := d.broker.request(ctx, d.node, r)
	return err
}
