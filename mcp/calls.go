package mcp

import (
	"encoding/json"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// enter makes a request known to cancellations.
func (c *conn) enter(next *call) {
	if next.id == nil || next.method == string(mcpgo.MethodInitialize) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[string(next.id)] = next
}

// leave ends a request; a cancellation that comes now is ignored.
func (c *conn) leave(done *call) {
	done.stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[string(done.id)] == done {
		delete(c.calls, string(done.id))
	}
}

// cancel stops a request whose client does not want its reply any more.
func (c *conn) cancel(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.calls[string(id)]; found != nil {
		found.gone.Store(true)
		found.stop()
	}
}
