package mcp

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestReload_answersWhatWaits carries out the requests in the queue before the server ends.
func TestReload_answersWhatWaits(t *testing.T) {
	t.Parallel()
	s := newOrders().server(t, t.Output(), false, Options{Executable: "program"})
	c := s.newConn(t.Context())
	c.replies = make(chan outgoing, 3)
	for range 3 {
		m, bad := s.read([]byte(pingLine))
		assert.True(t, bad == nil, "%v", bad)
		c.queue <- newCall(s.core.WithContext(t.Context(), c.session), m)
	}
	close(c.replaced)
	c.dispatch(t.Context())
	assert.Equal(t, 3, len(c.replies))
}
