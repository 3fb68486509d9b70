package cmd

import (
	"math"
	"runtime"
	"runtime/debug"
)

const (
	// earlyHeap is the memory up to which a command collects no garbage: most commands end before, and collecting takes a
	// fifth of the time of a query.
	earlyHeap = 48 << 20

	// lateGC is by how many percent the heap of a command grows after that before garbage is collected, instead of 100:
	// what a query has read stays in use until it ends.
	lateGC = 200

	// serverGC is by how many percent the heap of a server grows before garbage is collected, instead of 100: an answer about
	// all specs leaves much of it, and the server of each agent stays in memory.
	serverGC = 50
)

// CollectLate makes the process collect no garbage until it has much memory, unless GOGC or GOMEMLIMIT say when to.
// After the first time, it collects garbage when its heap has grown by lateGC percent.
func CollectLate() {
	if before := debug.SetMemoryLimit(earlyHeap); before != math.MaxInt64 {
		debug.SetMemoryLimit(before)
		return
	}
	if before := debug.SetGCPercent(-1); before != 100 {
		debug.SetGCPercent(before)
		debug.SetMemoryLimit(math.MaxInt64)
		return
	}
	runtime.AddCleanup(new([16]byte), func(int) { collectAs(lateGC) }, 0)
}

// collectAs makes a process that collects late collect garbage whenever its heap has grown by so many percent.
func collectAs(percent int) {
	if debug.SetMemoryLimit(-1) == earlyHeap {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
