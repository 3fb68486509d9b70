package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"chant/gitops/lockfile"
)

const (
	// turnGrace limits the wait for holders that only write, in case one of them hangs.
	turnGrace = 30 * time.Second
	// leftGrace limits the wait for a lock whose holder is dead: a process in another container
	// can seem to be dead.
	leftGrace = 5 * time.Second
)

// acquire takes a lock. It waits for holders that only write, and for a lock that a killed process has left.
func acquire(ctx context.Context, path, op, id string) (*lockfile.Lock, error) {
	// Several agents may write to one spec, each through its own server: they take turns, and none gets an error.
	lock, err := acquireAfter(ctx, path, purposeOf(op, id), waitRule{turnGrace, Writes})
	if held, ok := errors.AsType[*lockfile.HeldError](err); ok && !held.Holder.Alive() {
		return AcquireLeft(ctx, path, op, id)
	}
	return lock, err
}

// AcquireLeft takes a lock that a killed process may have left; *lockfile.HeldError at once if its holder is alive.
func AcquireLeft(ctx context.Context, path, op, id string) (*lockfile.Lock, error) {
	// The kernel releases the lock of a killed process when its last copy is closed, and a process that it was just starting
	// has a copy until it executes its program.
	return acquireAfter(ctx, path, purposeOf(op, id), waitRule{leftGrace, func(h lockfile.Holder) bool { return !h.Alive() }})
}

// waitRule limits the wait for a lock, by time and by its holder.
type waitRule struct {
	grace time.Duration
	with  func(lockfile.Holder) bool
}

// acquireAfter takes a lock after waiting for the holders that p allows. It returns *lockfile.HeldError for any other
// holder and after the time of p, and the error of ctx if that ends first.
func acquireAfter(ctx context.Context, path string, what lockfile.Purpose, p waitRule) (*lockfile.Lock, error) {
	over := time.NewTimer(p.grace)
	defer over.Stop()
	tick := time.NewTicker(LookEvery)
	defer tick.Stop()
	for {
		lock, err := lockfile.AcquireFor(path, what)
		locked, ok := errors.AsType[*lockfile.HeldError](err)
		if !ok || !p.with(locked.Holder) {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-over.C:
			return nil, err
		case <-tick.C:
		}
	}
}

// Writes reports whether a holder only makes a commit and then releases the lock.
func Writes(h lockfile.Holder) bool { return RoleOf(h) == lockfile.Brief }

// RoleOf is the role of the holder of a spec's lock.
func RoleOf(h lockfile.Holder) lockfile.Role {
	// An older version does not write a role, and its text begins with the operation.
	if h.Role != "" {
		return h.Role
	}
	op, _, _ := strings.Cut(h.What, " ")
	return roleIn(op)
}

// roleIn is the role that an operation has as the holder of a spec's lock.
func roleIn(op string) lockfile.Role {
	switch op {
	// A holder without a text is about to write it, or has just released the lock.
	case "", "update", "edit", "check", "archive", "pause", "approve", "reject", "derive":
		return lockfile.Brief
	case "work":
		return lockfile.Works
	}
	return lockfile.Lasting
}

// purposeOf describes why an operation takes the lock of a spec.
func purposeOf(op, id string) lockfile.Purpose {
	return lockfile.Purpose{What: op + " " + id, Role: roleIn(op), About: id}
}

// LookEvery is the interval of polling for a start, a stop or a lock.
const LookEvery = 20 * time.Millisecond
