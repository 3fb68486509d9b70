package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// Limits of one connection.
const (
	queued    = 256                    // messages read ahead of the one that is carried out
	atOnce    = 4                      // long calls carried out at a time
	stopGrace = 5 * time.Second        // for calls to end once the server has to stop
	lastWords = 100 * time.Millisecond // for a reply to be read, once no call is under way
)

// conn is one stream of messages in and replies out. Three goroutines share it:
// one reads and sees cancellations and answers at once, one carries out requests
// in order, one writes.
type conn struct {
	*session
	srv     *server
	queue   chan *call     // from the reader; closed at the end of input
	replies chan outgoing  // to the writer
	slots   chan struct{}  // one for each long call under way
	long    sync.WaitGroup // long calls, waiting ones included
	at      atomic.Int32   // requests that are being carried out
	framed  atomic.Bool    // how the client framed its last message
	failure error          // of writing; read after the writer has ended

	replaced chan struct{} // closed when the program has been replaced by a newer one
}

func (s *server) newConn(ctx context.Context) *conn {
	c := &conn{
		srv: s, queue: make(chan *call, queued), replies: make(chan outgoing), slots: make(chan struct{}, atOnce),
		replaced: make(chan struct{}),
	}
	c.session = newSession(s.newClient("stdio"), func(request []byte) error {
		select {
		// The reader of this connection must not write itself: two writers would mix their messages.
		case c.replies <- outgoing{bytes: messageFrame(request, c.framed.Load())}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	c.keepTasks(ctx, c.session)
	return c
}

// outgoing is a message to the client in its final bytes, and what is to happen when it has been written; may be nil.
type outgoing struct {
	bytes []byte
	then  func()
}

// serve handles one stream until its input ends, or until ctx is done and calls
// under way have ended or used up their grace. A client that does not read then
// holds it up no longer than lastWords.
func (s *server) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer s.idle.End()
	c := s.newConn(ctx)
	ended := make(chan struct{})
	if s.catalog.Standalone && s.o.Executable != "" {
		go c.watchExecutable(ctx, newExecutable(s.o.Executable))
	}
	go c.read(s.core.WithContext(ctx, c.session), newFrameReader(in))
	go func() {
		defer close(ended)
		c.write(out, stop)
	}()
	go func() {
		defer close(c.replies)
		// Replies end only after the last call that can make one.
		c.dispatch(ctx)
		c.long.Wait()
		// Tasks outlive requests but not their connection.
		c.store.Close()
	}()
	go c.watch(ctx)
	select {
	case <-ended:
		return c.failure
	case <-ctx.Done():
	}
	for grace := time.After(stopGrace); ; {
		select {
		case <-ended:
			return c.failure
		case <-grace:
			return nil
		case <-time.After(lastWords):
			// What is left then is a client that does not read.
			if c.at.Load() == 0 && !c.store.Busy() {
				return nil
			}
		}
	}
}

// read queues what comes in. Cancellations do not queue: they are for requests
// that are still in the queue, too. Neither do answers, which one in front may be
// waiting for.
func (c *conn) read(ctx context.Context, in *frameReader) {
	defer close(c.queue)
	for {
		body, framed, err := in.Next()
		next := &call{framed: framed}
		switch {
		case errors.Is(err, errTooLarge), errors.Is(err, ErrHeader):
			next.failed = c.srv.unreadableError(invalid(err.Error(), nil))
		case err != nil:
			if !errors.Is(err, io.EOF) {
				c.srv.log.Printf("read: %v", err)
			}
			return
		default:
			next.message, next.failed = c.srv.read(body)
		}
		// A client of the dialect gets everything framed after its first framed message.
		if c.srv.catalog.Standalone {
			next.framed = framed || c.framed.Load()
		}
		c.framed.Store(next.framed)
		// A cancellation may be for a request that is still in the queue, so it does not wait there.
		if id := next.cancelledID(); id != nil {
			c.cancel(id)
			continue
		}
		// The call at the head of the queue may be waiting for this answer.
		if next.answers() {
			c.deliver(next.message)
			continue
		}
		next.ctx, next.stop = context.WithCancel(ctx)
		c.register(next)
		select {
		case c.queue <- next:
		case <-ctx.Done():
			next.stop()
			return
		}
	}
}

// watchExecutable closes c.replaced when the program has been replaced by a newer one, so that the client starts that.
func (c *conn) watchExecutable(ctx context.Context, e executable) {
	tick := time.NewTicker(lookForNewer)
	defer tick.Stop()
	if e.AwaitNewer(ctx, tick.C) {
		close(c.replaced)
	}
}

// write sends replies, and ahead of each the notifications that its call has
// made. After a failure it continues without writing, so that nothing waits for it.
func (c *conn) write(out io.Writer, stop context.CancelFunc) {
	send := func(next outgoing) {
		// After a failure this continues without writing, so that no call waits for it.
		if c.failure != nil {
			return
		}
		if _, err := out.Write(next.bytes); err != nil {
			c.failure = fmt.Errorf("write reply: %w", err)
			stop()
		} else if next.then != nil {
			next.then()
		}
	}
	for {
		select {
		case note := <-c.notes:
			send(c.note(note))
		case body, more := <-c.replies:
			// The notifications that a call has made come before its reply.
			for range len(c.notes) {
				send(c.note(<-c.notes))
			}
			if !more {
				return
			}
			send(body)
		}
	}
}

// note encodes a notification.
func (c *conn) note(n mcpgo.JSONRPCNotification) outgoing {
	body, err := json.Marshal(n)
	if err != nil {
		c.srv.log.Printf("encode %s: %v", n.Method, err)
		return outgoing{}
	}
	return outgoing{bytes: messageFrame(c.srv.redact(body), c.framed.Load())}
}
