package mcp

import (
	"sync"
	"time"
)

// inFlight counts the requests that are being answered. Once it is draining, it admits no further ones.
type inFlight struct {
	mu      sync.Mutex
	count   int
	drained chan struct{} // nil until draining begins; closed when the count is then 0
}

// begin counts one more request; it returns false while draining.
func (f *inFlight) begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.drained != nil {
		return false
	}
	f.count++
	return true
}

// beginAnother counts work that outlives a request which is being answered.
func (f *inFlight) beginAnother() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
}

// end ends what begin or beginAnother has counted.
func (f *inFlight) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count--; f.count == 0 && f.drained != nil {
		close(f.drained)
	}
}

// drain admits no further requests and waits until all have ended, or until the limit.
func (f *inFlight) drain(limit time.Duration) {
	f.mu.Lock()
	if f.drained == nil {
		f.drained = make(chan struct{})
		if f.count == 0 {
			close(f.drained)
		}
	}
	empty := f.drained
	f.mu.Unlock()
	select {
	case <-empty:
	case <-time.After(limit):
	}
}
