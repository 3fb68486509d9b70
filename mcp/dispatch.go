package mcp

import (
	"context"
)

// dispatch carries out requests in order until the queue ends or ctx is done, or until the program has been replaced
// and no request waits. At the end it hangs up on those that last until their client ends them.
func (c *conn) dispatch(ctx context.Context) {
	var listening []*call
	// Requests that last until their client ends them would keep the server from ending.
	defer func() {
		for _, each := range listening {
			each.stop()
		}
	}()
	for {
		var next *call
		more := true
		select {
		case <-ctx.Done():
			return
		case next, more = <-c.queue:
		case <-c.replaced:
			// What is in the queue already is answered: its client does not know of the new program.
			select {
			case next, more = <-c.queue:
			default:
				return
			}
		}
		switch {
		case !more:
			return
		case next.failed == nil && next.id != nil && c.srv.takesLong(next.ctx, next.message):
			if next.listens() {
				listening = append(listening, next)
			}
			// A long call must not hold up those behind it.
			c.long.Go(func() { c.runLater(next) })
		default:
			c.finish(next)
		}
	}
}

// runLater carries out a long call when there is room for it.
func (c *conn) runLater(next *call) {
	// A request that only waits needs no slot, and would keep one for as long as its client wants.
	if !next.waits() {
		select {
		case c.slots <- struct{}{}:
			defer func() { <-c.slots }()
		// A cancelled call continues to its end, where it is taken from the list of calls.
		case <-next.ctx.Done():
		}
	}
	c.finish(next)
}

// finish carries out one message and hands its reply to the writer.
func (c *conn) finish(next *call) {
	defer c.leave(next)
	var body []byte
	switch {
	case next.failed != nil:
		body = c.srv.refuseMessage(next.failed)
	case next.method != "" && !next.gone.Load():
		c.at.Add(1)
		body = c.srv.answer(next.ctx, next.message)
		c.at.Add(-1)
	}
	task := next.created()
	switch {
	// The task begins after its reply was written, or its first notification could come before the client knows it.
	case body != nil && !next.gone.Load():
		c.replies <- outgoing{messageFrame(body, next.framed), func() {
			if task != nil {
				c.begin(task)
			}
		}}
	// Without a reply no client could ask for the task.
	case task != nil:
		c.store.Drop(task)
	}
}
