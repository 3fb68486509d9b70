package web

import (
	"sync"
	"time"
)

// InFlight counts the requests that are being answered. Once it is draining, it admits no further ones.
type InFlight struct {
	mu      sync.Mutex
	count   int
	drained chan struct{} // nil until draining begins; closed when the count is then 0
}

// Begin counts one more request; it returns false while draining.
func (f *InFlight) Begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.drained != nil {
		return false
	}
	f.count++
	return true
}

// BeginAnother counts work that outlives a request which is being answered.
func (f *InFlight) BeginAnother() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
}

// End ends what Begin or BeginAnother has counted.
func (f *InFlight) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count--; f.count == 0 && f.drained != nil {
		close(f.drained)
	}
}

// Drain admits no further requests and waits until all have ended, or until the limit.
func (f *InFlight) Drain(limit time.Duration) {
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
