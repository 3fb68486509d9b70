package jetstream

import (
	"context"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
)

// Log appends to the log of a spec, in pieces. The server keeps the last ones.
func (b *Broker) Log(ctx context.Context, id string, text []byte) error {
	for len(text) > 0 {
		piece := text[:min(len(text), logPiece)]
		text = text[len(piece):]
		seq, err := b.store(ctx, b.project.LogStream(), b.project.Log(id), piece, anySequence)
		if err != nil {
			return err
		}
		if err := b.announce(ctx, b.project.Logged(id), strconv.AppendUint(nil, seq, 10)); err != nil {
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
)

// Follow returns what the server has kept of the log of a spec and what is appended. Announcements say only that there
// is more, so that nothing is missed or repeated when the connection was down.
func (b *Broker) Follow(ctx context.Context, id string) (<-chan []byte, error) {
	sub, err := b.subscribe(ctx, b.project.Logged(id))
	if err != nil {
		return nil, err
	}
	out := make(chan []byte)
	b.running.Go(func() {
		defer close(out)
		defer func() { _ = sub.Unsubscribe() }() // fails only if the connection has ended
		f := follower{broker: b, id: id, sub: sub, out: out}
		for f.readAll(ctx) && f.wait(ctx) {
		}
	})
	return out, nil
}

// follower reads a log for one caller.
type follower struct {
	broker *Broker
	id     string
	sub    *nats.Subscription
	out    chan<- []byte
	read   uint64 // the last piece that was read
	known  uint64 // the last one that was announced
	whole  bool   // it was said that all that was there has been handed on
}

// readAll hands on the pieces that were not read yet. It returns false when the reader or the connection has ended.
func (f *follower) readAll(ctx context.Context) bool {
	b := f.broker
	for {
		found, more, err := b.read(ctx, b.project.LogStream(), search{Next: b.project.Log(f.id), Seq: f.read + 1, Batch: logBatch, MaxSize: logSize})
		if err != nil {
			// The server is away. Whoever follows waits for it, as for the next piece.
			return ctx.Err() == nil && !b.nc.IsClosed()
		}
		for _, m := range found {
			if len(m.data) > 0 && !f.hand(ctx, m.data) {
				return false
			}
			f.read = m.seq
		}
		if !more || len(found) == 0 {
			said := f.whole
			f.whole = true
			return said || f.hand(ctx, nil)
		}
	}
}

// hand hands on a piece. It returns false when the reader or the connection has ended.
func (f *follower) hand(ctx context.Context, piece []byte) bool {
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
	patience := f.broker.patience // announcements may have been missed
	if f.known > f.read {
		patience = logRetry
	}
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	m, err := f.sub.NextMsgWithContext(limited)
	if err == nil {
		if seq, err := strconv.ParseUint(string(m.Data), 10, 64); err == nil {
			f.known = max(f.known, seq)
		}
		return true
	}
	return ctx.Err() == nil && !f.broker.nc.IsClosed()
}
