package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// Limits of one connection.
const (
	queued    = 256             // messages read ahead of the one that is carried out
	atOnce    = 4               // long calls carried out at a time
	stopGrace = 5 * time.Second // for calls to end once the server is told to stop
)

// conn is one stream of messages in and replies out. Three goroutines share it:
// one reads and sees cancellations at once, one carries out requests in order,
// one writes.
type conn struct {
	srv     *server
	session *session
	queue   chan *call     // from the reader; closed at the end of input
	replies chan outgoing  // to the writer
	slots   chan struct{}  // one for each long call under way
	long    sync.WaitGroup // long calls, waiting ones included
	framed  atomic.Bool    // how the client framed its last message
	failure error          // of writing; read after the writer has ended

	mu    sync.Mutex
	calls map[string]*call // requests not yet answered, by id
}

// call is a message on its way through the connection.
type call struct {
	message
	ctx    context.Context
	stop   context.CancelFunc
	gone   atomic.Bool // its client cancelled it
	framed bool
	failed *rpcError // it could not be read
}

// outgoing is a message to the client in its final bytes.
type outgoing []byte

// serve handles one stream until its input ends, or until ctx is done and calls
// under way have ended or used up their grace.
func (s *server) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := &conn{
		srv: s, session: newSession(s.mark), calls: map[string]*call{},
		queue: make(chan *call, queued), replies: make(chan outgoing), slots: make(chan struct{}, atOnce),
	}
	ended := make(chan struct{})
	go c.read(s.core.WithContext(ctx, c.session), newFrames(in))
	go func() {
		defer close(ended)
		c.write(out, stop)
	}()
	go func() {
		defer close(c.replies)
		c.dispatch(ctx)
		c.long.Wait()
	}()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	go c.session.watch(ctx, tick.C)
	select {
	case <-ended:
		return c.failure
	case <-ctx.Done():
	}
	select {
	case <-ended:
		return c.failure
	case <-time.After(stopGrace):
		return nil
	}
}

// read queues what comes in. Cancellations do not queue: they are for requests
// that are still in the queue, too.
func (c *conn) read(ctx context.Context, in *frames) {
	defer close(c.queue)
	for {
		body, framed, err := in.next()
		next := &call{framed: framed}
		switch {
		case errors.Is(err, errTooLarge), errors.Is(err, errHeader):
			next.failed = invalid(err.Error(), nil)
		case err != nil:
			if !errors.Is(err, io.EOF) {
				c.srv.log.Printf("read: %v", err)
			}
			return
		default:
			next.message, next.failed = parse(body)
		}
		c.framed.Store(framed)
		if id := next.cancelled(); id != nil {
			c.cancel(id)
			continue
		}
		next.ctx, next.stop = context.WithCancel(ctx)
		c.enter(next)
		select {
		case c.queue <- next:
		case <-ctx.Done():
			next.stop()
			return
		}
	}
}
