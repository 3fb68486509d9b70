package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"chant/mcp/framing"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// write sends replies, and ahead of each the notifications that its call has
// made. After a failure it continues without writing, so that nothing waits for it.
func (c *conn) write(out io.Writer, stop context.CancelFunc) {
	send := func(next outgoing) {
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
	return outgoing{bytes: framing.Frame(c.srv.clean(body), c.framed.Load())}
}
