package providers

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"
)

// row is one living process in a snapshot of the process table. Group and
// session are 0 where the system has none. Started differs between two
// processes that had the same number one after the other.
type row struct {
	pid, parent, group, session int
	started                     string
}

// family is a process and everything that came of it, as far as snapshots
// show: children of members, processes in a group or session that a member
// leads, and those that carry the mark in their environment. A member is known
// by number and start, so that a number used again is never mistaken for it.
type family struct {
	root    int
	marked  func(pid int) bool
	since   uint64         // when the first of them started, 0 if that is not known
	members map[int]string // pid -> started
	walled  bool           // what a look misses is killed with the wall that it is behind
}

// newFamily is for a process that was just started by us.
func newFamily(p Process, lineage string, walled bool) *family {
	return &family{
		walled:  walled,
		root:    p.PID,
		since:   startTime(p.Started),
		members: map[int]string{p.PID: p.Started},
		marked:  func(pid int) bool { return isDescendant(Variable(environ(pid), LineageKey), lineage) },
	}
}

// familyOf is for a process whose starter has ended. Its number is
// trusted only if it is still the same process; the mark always is.
func familyOf(p Process) *family {
	f := &family{root: p.PID, members: map[int]string{}}
	// The number of an ended process may be another one's by now; the mark is never.
	if Alive(p) {
		f.members[p.PID] = p.Started
	}
	f.marked = func(pid int) bool {
		return p.RunID != "" && Variable(environ(pid), RunIDKey) == p.RunID
	}
	return f
}

// isDescendant reports whether a lineage is ours or continues it: a chant within
// an agent appends its own to the one it inherited.
func isDescendant(lineage, ours string) bool {
	return lineage == ours || strings.HasPrefix(lineage, ours+lineageMark)
}

// grow takes a snapshot, adds new members, forgets the dead ones that nothing
// refers to, and returns those that live. Only a deep look reads environments,
// which costs a file per process that started later than the first member. The
// calling process is never a member, though it may have been started by one.
func (f *family) grow(deep bool) []row {
	table := processTable(f.root)
	living := make(map[int]row, len(table))
	referred := make(map[int]bool, len(table))
	for _, r := range table {
		living[r.pid] = r
		// A dead member still connects its children, and the system reuses no number that a group or session has.
		referred[r.parent], referred[r.group], referred[r.session] = true, true, true
	}
	for pid, started := range f.members {
		r, alive := living[pid]
		if alive && r.started != started || !alive && !referred[pid] {
			delete(f.members, pid)
		}
	}
	f.adopt(table, deep)

	var alive []row
	for _, r := range table {
		if started, ok := f.members[r.pid]; ok && started == r.started {
			alive = append(alive, r)
		}
	}
	return alive
}

// adopt adds rows until the family no longer grows.
func (f *family) adopt(table []row, deep bool) {
	strangers := slices.DeleteFunc(slices.Clone(table), func(r row) bool {
		// This process may have been started by a member, but must not end itself.
		return r.pid == os.Getpid() || f.has(r.pid)
	})
	if deep {
		// Environments are read only of processes that started later than the first member: each costs a file.
		strangers = f.take(strangers, func(r row) bool { return startTime(r.started) >= f.since && f.marked(r.pid) })
	}
	// A child may stand before its parent in the table, so one pass is not enough.
	for before := -1; before != len(strangers); {
		before = len(strangers)
		strangers = f.take(strangers, func(r row) bool {
			return f.has(r.parent) || f.has(r.group) || f.has(r.session)
		})
	}
}

// take makes members of the rows that belong, and returns the others.
func (f *family) take(rows []row, belongs func(row) bool) []row {
	return slices.DeleteFunc(rows, func(r row) bool {
		if !belongs(r) {
			return false
		}
		f.members[r.pid] = r.started
		return true
	})
}

// has is true for the dead members too that something still refers to: the
// system reuses no number that a group or session still has.
func (f *family) has(pid int) bool {
	_, ok := f.members[pid]
	return ok
}

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
		// Processes that were born too late for the first signal get it now, or one child of a dying agent would take the
		// whole grace.
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
		// One signal reaches the whole group at once, so that a fork in between cannot slip away. The own group is not
		// signalled.
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
		// It is gone, which is what is wanted.
		return
	}
	defer process.Release()
	// The handle is taken before this look, so that it cannot be that of a later process with the number.
	if identity(r.pid) == r.started {
		// An error means gone, or not ours to signal; the next look decides.
		_ = process.Signal(signal)
	}
}
