package providers

// isAncestorOf reports whether a process is the child or came of it. Behind a wall the kernel says so. Where nothing else does, the
// line of its parents counts, and on a system that does not show parents, as macOS, it is true for any process. What a
// process has in its environment never counts: it can choose that.
func (c *child) isAncestorOf(pid int) bool {
	// Behind such a wall, the kernel knows what belongs to it. What a process has in its environment never counts: it can
	// choose that.
	if c.wall.Kills() {
		return c.wall.Contains(pid)
	}
	return !showsParents || descendsFrom(pid, c.process)
}

// descendsFrom reports whether a process is another one or has it among its living parents.
func descendsFrom(pid int, from Process) bool {
	parents := map[int]row{}
	for _, r := range processTable(from.PID) {
		parents[r.pid] = r
	}
	for at, steps := pid, 0; at > 1 && steps <= len(parents); steps++ {
		r, known := parents[at]
		if !known {
			break
		}
		// The number alone may be that of a later process.
		if r.pid == from.PID && r.started == from.Started {
			return true
		}
		at = r.parent
	}
	return false
}
