package providers

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Process identifies a started agent, so that a later process can find and
// stop it. Started is opaque and differs between two processes with one PID.
type Process struct {
	PID     int    `json:"pid"`
	Started string `json:"started"`
	RunID   string `json:"run_id"`
}

// Alive reports whether the process still runs. It is false once its number
// belongs to another process, and after a restart of the machine.
func Alive(p Process) bool {
	if p.PID <= 0 {
		return false
	}
	for _, r := range processTable(p.PID) {
		if r.pid == p.PID {
			return r.started == p.Started
		}
	}
	return false
}

// Stop ends what is left of an agent whose chant died: the process itself if
// it is still the same, its group and session, their descendants, and on Linux
// every process with its RunID in the environment. First they are asked, and
// after grace (0 is 5 s), or as soon as ctx ends, forced. Stop returns how many
// processes it signalled, and an error wrapping ErrStillAlive if one stays.
func Stop(ctx context.Context, p Process, grace time.Duration) (int, error) {
	if grace <= 0 {
		grace = defaultGrace
	}
	signalled, survivors := familyOf(p).stop(ctx, grace)
	if len(survivors) > 0 {
		return signalled, fmt.Errorf("run %q, process %s: %w", p.RunID, pidList(survivors), ErrStillAlive)
	}
	return signalled, nil
}

func pidList(pids []int) string { return strings.Trim(fmt.Sprint(pids), "[]") }
