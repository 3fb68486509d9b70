package providers

import (
	"context"
	"os"
	"time"
)

const (
	// pollTime is the time between two looks at a family that was signalled.
	pollTime = 25 * time.Millisecond
	// killRounds bounds the final step; a process that the system cannot end
	// must not hold up the caller for ever.
	killRounds = 200
)

// stop asks every member to end, waits, and forces the rest. It looks again
// after every step: members may have started new ones meanwhile.
func (f *family) stop(ctx context.Context, grace time.Duration) (signalled int, survivors []int) {
	asked := askedRows{}
	alive := asked.add(f.grow(true))
	f.signal(alive, false)
	empty := 1
	if len(alive) > 0 {
		empty = 0
		f.await(ctx, grace, asked)
	}
	// A process born during a snapshot may be missing from it, with its parent
	// dead before its row was read. So nothing must be found twice in a row,
	// unless a wall stops that process.
	enough := 2
	if f.walled {
		enough = 1
	}
	for round := 0; round < killRounds && empty < enough; round++ {
		alive = f.grow(true)
		asked.add(alive)
		f.signal(alive, true)
		if len(alive) == 0 {
			empty++
			continue
		}
		empty = 0
		time.Sleep(pollTime)
	}
	for _, r := range alive {
		survivors = append(survivors, r.pid)
	}
	return len(asked), survivors
}

// await returns when no known member lives, after grace, or at the end of ctx.
// Who was born too late to be asked is asked now, or one child of a dying
// agent would take the whole grace.
func (f *family) await(ctx context.Context, grace time.Duration, asked askedRows) {
	deadline := time.After(grace)
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	for {
		alive := f.grow(false)
		if len(alive) == 0 {
			return
		}
		for _, r := range asked.add(alive) {
			signalProcess(r, false)
		}
		select {
		case <-ctx.Done():
			return
		case <-deadline:
			return
		case <-poll.C:
		}
	}
}

// signal reaches the root's group at once, so that a fork in between cannot
// slip away, and every other member by itself.
func (f *family) signal(alive []row, force bool) {
	grouped := false
	for _, r := range alive {
		if r.group == f.root && f.has(f.root) && r.group != ownGroupID() {
			grouped = true
			continue
		}
		signalProcess(r, force)
	}
	if grouped {
		signalGroup(f.root, force)
	}
}

// askedRows knows who was signalled already. The polite signal is sent once: a
// second one means force for many programs.
type askedRows map[row]bool

// add returns the rows that are new.
func (a askedRows) add(rows []row) []row {
	var fresh []row
	for _, r := range rows {
		// The parent and the group of a process may change, these do not.
		key := row{pid: r.pid, started: r.started}
		if !a[key] {
			a[key] = true
			fresh = append(fresh, r)
		}
	}
	return fresh
}

// signalOne sends to exactly the process of the row: the handle is taken
// first, then checked, so that it cannot be that of a successor.
func signalOne(r row, signal os.Signal) {
	process, err := os.FindProcess(r.pid)
	if err != nil {
		return // gone, which is what is wanted
	}
	defer process.Release()
	if identity(r.pid) == r.started {
		// An error means gone, or not ours to signal; the next look decides.
		_ = process.Signal(signal)
	}
}
