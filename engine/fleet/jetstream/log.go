package jetstream

import (
	"context"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"chant/engine/fleet"
)

// specHeader has the token of the spec in a piece of a log.
const specHeader = "Chant-Spec"

// Log appends to what a node logs about a spec, in pieces. The server keeps the last ones.
func (b *Broker) Log(ctx context.Context, node, id string, text []byte) error {
	on, header := b.project.Log(node, id), nats.Header{specHeader: {fleet.Token(id)}}
	for len(text) > 0 {
		piece := text[:min(len(text), logPiece)]
		text = text[len(piece):]
		seq, err := b.storeWith(ctx, b.project.LogStream(), on, header, piece)
		if err != nil {
			return err
		}
		if err := b.announce(ctx, b.project.Logged(node), strconv.AppendUint(nil, seq, 10)); err != nil {
			return err
		}
	}
	return nil
}

// The reading of logs.
const (
	logBatch = 64
	logSize  = 512 << 10              // bytes of a batch
	logRetry = 100 * time.Millisecond // for a piece that was announced and that the asked server does not have yet
	logTries = 50                     // for such a piece, which may not come at all
)

// Follow returns what the server has kept of what a node has logged about a spec, and what it appends until the context
// ends; then the channel is closed. The first empty piece means that all that was there has been returned; other pieces
// are not empty. Announcements say only that there is more, so that nothing is missed or repeated when the connection was
// down.
func (b *Broker) Follow(ctx context.Context, node, id string) (<-chan []byte, error) {
	// Before the first read, so that nothing that is announced in between is missed.
	sub, err := b.subscribe(ctx, b.project.Logged(node))
	if err != nil {
		return nil, err
	}
	out := make(chan []byte)
	b.running.Go(func() {
		defer close(out)
		defer func() { _ = sub.Unsubscribe() }() // fails only if the connection has ended
		f := follower{broker: b, on: b.project.Log(node, id), token: fleet.Token(id), sub: sub, out: out}
		for f.readAll(ctx) && f.wait(ctx) {
		}
	})
	return out, nil
}

// follower reads a log for one caller.
type follower struct {
	broker *Broker
	on     string // the subject of the log, which it shares with those of other specs of the node
	token  string // of the spec
	sub    *nats.Subscription
	out    chan<- []byte
	read   uint64 // the last piece that was read
	known  uint64 // the last one that was announced
	tries  int    // to read it
	whole  bool   // it was said that all that was there has been handed on
}

// readAll hands on the pieces that were not read yet. It returns false when the reader or the connection has ended.
func (f *follower) readAll(ctx context.Context) bool {
	b := f.broker
	for {
		found, more, err := b.read(ctx, b.project.LogStream(), search{Next: f.on, Seq: f.read + 1, Batch: logBatch, MaxSize: logSize})
		if err != nil {
			// The server is away, and a follower waits for it as for the next piece.
			return ctx.Err() == nil && !b.nc.IsClosed()
		}
		for _, m := range found {
			if m.token == f.token && len(m.data) > 0 && !f.handOn(ctx, m.data) {
				return false
			}
			// Also pieces of other specs, which share the subject.
			f.read = m.seq
		}
		if !more || len(found) == 0 {
			said := f.whole
			f.whole = true
			return said || f.handOn(ctx, nil)
		}
	}
}

// handOn hands on a piece. It returns false when the reader or the connection has ended.
func (f *follower) handOn(ctx context.Context, piece []byte) bool {
	select {
	case f.out <- piece:
		return true
	case <-ctx.Done():
	case <-f.broker.closing:
	}
	return false
}

// wait waits until there may be more. It returns false when the reader or the connection has ended.
func (f *follower) wait(ctx context.Context) bool {
	// Announcements may have been missed, so it looks again after a while.
	patience := f.broker.patience
	if f.tries++; f.known > f.read && f.tries < logTries {
		patience = logRetry
	}
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	m, err := f.sub.NextMsgWithContext(limited)
	if err == nil {
		if seq, err := strconv.ParseUint(string(m.Data), 10, 64); err == nil {
			if seq > f.known {
				f.known, f.tries = seq, 0
			}
		}
		return true
	}
	return ctx.Err() == nil && !f.broker.nc.IsClosed()
}
