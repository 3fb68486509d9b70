package memory

import (
	"context"
	"slices"
	"time"

	"chant/engine/fleet"
)

// delivery is an entry that a node has taken.
type delivery struct {
	queue  *Queue
	item   *item
	number int // among the deliveries of the entry
	node   string
}

// Entry returns the entry that was taken.
func (d *delivery) Entry() fleet.Entry { return d.item.entry }

// Claimed reports that the claim on the spec has changed.
func (d *delivery) Claimed(ctx context.Context) error {
	return d.change(ctx, func() { d.queue.report(fleet.Change{Kind: fleet.Taken, ID: d.item.entry.ID, Node: d.node}) })
}

// Heartbeat keeps the entry for another while.
func (d *delivery) Heartbeat(ctx context.Context) error {
	return d.change(ctx, func() { d.item.until = d.queue.now().Add(d.queue.patience) })
}

// Finish removes the entry.
func (d *delivery) Finish(ctx context.Context, o fleet.Outcome) error {
	return d.change(ctx, func() {
		d.item.taken = false
		d.queue.items = slices.DeleteFunc(d.queue.items, func(it *item) bool { return it == d.item })
		d.queue.wake()
		d.queue.report(fleet.Change{Kind: fleet.Finished, ID: d.item.entry.ID, Node: d.node, Outcome: o})
	})
}

// PutBack returns the entry to its place in the queue, from which it is taken after a while at the earliest.
func (d *delivery) PutBack(ctx context.Context, after time.Duration, why string) error {
	return d.change(ctx, func() {
		d.item.taken, d.item.until = false, d.queue.now().Add(after)
		d.queue.wake()
		d.queue.report(fleet.Change{Kind: fleet.PutBack, ID: d.item.entry.ID, Node: d.node, Outcome: fleet.Outcome{Reason: why}})
	})
}

// change does something with an entry that still belongs to the delivery.
func (d *delivery) change(ctx context.Context, do func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.queue.mu.Lock()
	defer d.queue.mu.Unlock()
	if !d.item.taken || d.item.deliveries != d.number {
		return fleet.ErrLost
	}
	do()
	return nil
}
