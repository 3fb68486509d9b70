package mcp

import (
	"sync"
	"time"
)

// gate counts what is under way and, once it is shut, admits nothing.
type gate struct {
	mu     sync.Mutex
	inside int
	empty  chan struct{} // closed when it is shut and nothing is inside; nil while open
}

// enter counts one in; false when the gate is shut.
func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.empty != nil {
		return false
	}
	g.inside++
	return true
}

// more counts one in beside one that is inside.
func (g *gate) more() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside++
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inside--; g.inside == 0 && g.empty != nil {
		close(g.empty)
	}
}

// shut closes the gate and waits until all are out, or until the limit.
func (g *gate) shut(limit time.Duration) {
	g.mu.Lock()
	if g.empty == nil {
		g.empty = make(chan struct{})
		if g.inside == 0 {
			close(g.empty)
		}
	}
	empty := g.empty
	g.mu.Unlock()
	select {
	case <-empty:
	case <-time.After(limit):
	}
}
