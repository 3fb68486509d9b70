package providers

// Belongs reports whether a process is the one that was started for a run, comes from it, or carries its mark. The mark
// finds those that have lost their parent, if they have not cleared their environment. Where the system shows neither
// parents nor environments, as macOS, it is true for any process.
func Belongs(pid int, to Process) bool {
	if !showsParents {
		return true
	}
	parents := map[int]row{}
	for _, r := range processTable(to.PID) {
		parents[r.pid] = r
	}
	for at, steps := pid, 0; at > 1 && steps <= len(parents); steps++ {
		r, known := parents[at]
		if !known {
			break
		}
		if r.pid == to.PID && r.started == to.Started {
			return true
		}
		at = r.parent
	}
	return to.RunID != "" && Variable(environ(pid), RunIDKey) == to.RunID
}
