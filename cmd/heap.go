package cmd

import (
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"chant/cmd/console"
)

// By how many percent the heap grows before garbage is collected.
const (
	defaultGC = 100
	lateGC    = 200 // while a command is still new: what a query has read stays in use until it ends
	// serverGC is low because an answer about all specs leaves much garbage, and the server of each agent stays in
	// memory.
	serverGC = 50
	// codeGC is for servers that search code. What they have read of it stays in use, a search leaves little garbage, and
	// the search during which it is collected takes longer.
	codeGC = 200
)

// Most commands end before they have used earlyHeap of memory, or within earlyTime. Until then they collect no garbage,
// which would take a fifth of the time of a query.
const (
	earlyHeap = console.EarlyHeap
	earlyTime = 3 * time.Second
)

// CollectLate makes the process collect no garbage while it is new, unless GOGC or GOMEMLIMIT say when to.
func CollectLate() {
	// Another limit is that of the environment.
	if before := debug.SetMemoryLimit(earlyHeap); before != math.MaxInt64 {
		debug.SetMemoryLimit(before)
		return
	}
	if before := debug.SetGCPercent(-1); before != defaultGC {
		debug.SetGCPercent(before)
		debug.SetMemoryLimit(math.MaxInt64)
		return
	}
	// The cleanup runs at the first collection.
	runtime.AddCleanup(new([16]byte), func(int) { collectAs(lateGC) }, 0)
	time.AfterFunc(earlyTime, func() {
		collectAs(defaultGC)
		// Only the value that was set at the first collection is replaced: another one is that of a server.
		if before := debug.SetGCPercent(defaultGC); before != lateGC {
			debug.SetGCPercent(before)
		}
	})
}

// collectForServer makes the server of some toolsets collect garbage as is best for these.
func collectForServer(toolsets []string) {
	code := slices.Contains(toolsets, "code")
	if code {
		console.CollectSooner()
	}
	if !code || len(toolsets) > 1 {
		collectLaterAs(serverGC)
	}
}

// collectLaterAs makes a process that does not collect garbage yet collect it by so many percent once it is not new any
// more: what its first calls read is in use until then.
func collectLaterAs(percent int) {
	if console.CollectsLate() {
		time.AfterFunc(2*earlyTime, func() { debug.SetGCPercent(percent) })
	}
}

// collectAs makes a process that does not collect garbage yet collect it when its heap has grown by so many percent.
func collectAs(percent int) {
	if console.CollectsLate() {
		switch {
		case console.CollectsSooner():
			percent = codeGC
		// More than twice that would be too much.
		case debug.SetMemoryLimit(-1) > earlyHeap:
			percent = min(percent, defaultGC)
		}
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
