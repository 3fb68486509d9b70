package mcp

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A server that has called no tool for idleAfter returns its memory to the system if it has more than idleMemory: an
// answer about all specs needs much of it, and most servers wait most of the time.
const (
	idleAfter  = time.Second
	idleMemory = 16 << 20
)

// newIdle returns the timer of a server, which each call of a tool starts anew.
func newIdle() *time.Timer {
	t := time.AfterFunc(idleAfter, freeMemory)
	t.Stop()
	return t
}

func freeMemory() {
	use := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(use)
	if use[0].Value.Uint64()-use[1].Value.Uint64() > idleMemory {
		debug.FreeOSMemory()
	}
}
