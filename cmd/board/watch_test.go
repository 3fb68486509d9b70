package board

import (
	"context"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestPass: changes that follow each other are passed on once, and what comes later is not lost.
func TestPass(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	changed, sent, ended := make(chan struct{}, 1), make(chan struct{}, 10), make(chan struct{})
	go func() {
		defer close(ended)
		debounce(ctx, changed, time.Millisecond, func() { sent <- struct{}{} })
	}()
	for range 3 {
		changed <- struct{}{}
		<-sent
	}
	cancel()
	<-ended
	assert.True(t, len(sent) <= 0, "%d more than there were changes", len(sent))
}
