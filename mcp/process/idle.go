package process

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// A server that has called no tool for idleAfter returns its memory to the system if it has more than idleMemory: an
// answer about all specs needs much of it, and most servers wait most of the time.
const (
	idleAfter  = time.Second
	idleMemory = 16 << 20
)

// Idle waits for the end of the calls of a server. The zero value has not begun to wait.
type Idle struct {
	mu      sync.Mutex
	timer   *time.Timer // nil before the first call
	ended   bool
	freeing sync.WaitGroup // timers that are set or at work
}

// Restart begins to wait anew, as each call of a tool does when it ends.
func (i *Idle) Restart() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ended {
		return
	}
	i.stop()
	i.freeing.Add(1)
	i.timer = time.AfterFunc(idleAfter, func() {
		defer i.freeing.Done()
		freeMemory()
	})
}

// stop stops the timer. The caller holds the lock.
func (i *Idle) stop() {
	if i.timer != nil && i.timer.Stop() {
		i.freeing.Done()
	}
}

// End stops waiting for good, and returns when no memory is being freed.
func (i *Idle) End() {
	i.mu.Lock()
	i.ended = true
	i.stop()
	i.mu.Unlock()
	i.freeing.Wait()
}

func freeMemory() {
	use := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(use)
	if use[0].Value.Uint64()-use[1].Value.Uint64() > idleMemory {
		debug.FreeOSMemory()
	}
}
