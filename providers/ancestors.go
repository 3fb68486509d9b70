package providers

import "os"

// Ancestors are the processes that the calling one comes from, its parent first, as far
// as the system reports them: Linux and Windows do, macOS does not. A process whose parent has
// ended is a child of the system, where its line ends. RunID is not filled in.
func Ancestors() []Process {
	self := os.Getpid()
	parents := map[int]row{}
	for _, r := range processTable(self) {
		parents[r.pid] = r
	}
	var line []Process
	// Numbers are used again, so a table that was read in between could show a circle.
	for at, known := parents[self]; known && len(line) < len(parents); {
		if at, known = parents[at.parent]; known {
			line = append(line, Process{PID: at.pid, Started: at.started})
		}
	}
	return line
}
