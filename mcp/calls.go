package mcp

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// call is a message of a client on its way through the server.
type call struct {
	message
	ctx    context.Context
	stop   context.CancelFunc
	gone   atomic.Bool // its client cancelled it
	framed bool
	failed *rpcError // it could not be read
}

func newCall(ctx context.Context, m message) *call {
	c := &call{message: m}
	c.ctx, c.stop = context.WithCancel(ctx)
	return c
}

// calls are the requests of a client that are not yet answered, by id.
type calls struct {
	mu    sync.Mutex
	known map[string]*call
}

// enter makes a request known to cancellations.
func (c *calls) enter(next *call) {
	if next.id == nil || next.method == string(mcpgo.MethodInitialize) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[string]*call{}
	}
	c.known[string(next.id)] = next
}

// leave ends a request; a cancellation that comes now is ignored.
func (c *calls) leave(done *call) {
	done.stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known[string(done.id)] == done {
		delete(c.known, string(done.id))
	}
}

// cancel stops a request whose client no longer wants its reply.
func (c *calls) cancel(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.known[string(id)]; found != nil {
		found.gone.Store(true)
		found.stop()
	}
}

// busy reports whether a request is under way.
func (c *calls) busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.known) > 0
}
