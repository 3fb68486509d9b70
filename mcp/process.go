package mcp

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// lookForNewer is how often the executable is to be looked at.
const lookForNewer = 2 * time.Second

// executable is the file of the program, as it was when the server began.
type executable struct {
	file  string
	began os.FileInfo // nil where it could not be read
}

// newExecutable takes the state of a file now for that at the start.
func newExecutable(file string) executable {
	began, err := os.Stat(file)
	if err != nil {
		// The first look that succeeds counts then.
		began = nil
	}
	return executable{file, began}
}

// AwaitNewer returns true once the file is newer than it was at the start, and false when ctx is done.
func (e executable) AwaitNewer(ctx context.Context, ticks <-chan time.Time) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-ticks:
		}
		now, err := os.Stat(e.file)
		switch {
		// The file is being replaced.
		case err != nil:
		case e.began == nil:
			e.began = now
		case now.ModTime().After(e.began.ModTime()):
			return true
		}
	}
}

// This file looks after the process of a server: the memory that it returns while it waits, and the program that
// replaces it. It knows nothing of messages and clients.

// A server that has called no tool for idleAfter returns its memory to the system if it has more than idleMemory: an
// answer about all specs needs much of it, and most servers wait most of the time.
const (
	idleAfter  = time.Second
	idleMemory = 16 << 20
)

// idle waits for the end of the calls of a server. The zero value has not begun to wait.
type idle struct {
	mu      sync.Mutex
	timer   *time.Timer // nil before the first call
	ended   bool
	freeing sync.WaitGroup // timers that are set or at work
}

// Restart begins to wait anew, as each call of a tool does when it ends.
func (i *idle) Restart() {
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
func (i *idle) stop() {
	// Only a timer that has not fired is counted here; the other counts itself.
	if i.timer != nil && i.timer.Stop() {
		i.freeing.Done()
	}
}

// End stops waiting for good, and returns when no memory is being freed.
func (i *idle) End() {
	i.mu.Lock()
	i.ended = true
	i.stop()
	i.mu.Unlock()
	// The wait is outside of the lock, so that a call which ends now is not held up in Restart.
	i.freeing.Wait()
}

func freeMemory() {
	use := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(use)
	// Returning memory costs more than it gains for a small server.
	if use[0].Value.Uint64()-use[1].Value.Uint64() > idleMemory {
		debug.FreeOSMemory()
	}
}
