package console

import "runtime/debug"

// EarlyHeap is how much memory most commands use before they collect garbage, in bytes.
const EarlyHeap = 48 << 20

// laterHeap is the same for commands that read an index of code: collecting would take a quarter of their time.
const laterHeap = 112 << 20

// codeServerHeap is the same for servers that search code: what they have read stays in use, and little else does.
const codeServerHeap = 40 << 20

// CollectLater makes a command that reads much at once and ends soon collect no garbage before it has used more memory,
// unless the environment has set a limit.
func CollectLater() {
	// Another limit is that of the environment, which takes precedence.
	if debug.SetMemoryLimit(-1) == EarlyHeap {
		debug.SetMemoryLimit(laterHeap)
	}
}

// CollectSooner makes a server that searches code collect garbage sooner than commands, unless the environment has set
// a limit.
func CollectSooner() {
	if debug.SetMemoryLimit(-1) == EarlyHeap {
		debug.SetMemoryLimit(codeServerHeap)
	}
}

// CollectsLate reports whether the process still has one of these limits.
func CollectsLate() bool {
	limit := debug.SetMemoryLimit(-1)
	return limit == EarlyHeap || limit == laterHeap || limit == codeServerHeap
}

// CollectsSooner reports whether the process still has the limit of CollectSooner.
func CollectsSooner() bool { return debug.SetMemoryLimit(-1) == codeServerHeap }
