package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"chant/gitops/lockfile"
)

const (
	// turnGrace bounds the wait for holders that only write: one of them may hang.
	turnGrace = 30 * time.Second
	// leftGrace bounds the wait for a lock whose holder is dead: a process in another container
	// can look dead from here.
	leftGrace = 5 * time.Second
)

// acquire takes a lock. Agents write to one spec at the same time, each by a server
// of its own: they take turns, and none is told to come again.
func acquire(ctx context.Context, path, op, id string) (*lockfile.Lock, error) {
	return acquireAfter(ctx, path, purpose(op, id), patience{turnGrace, Writes})
}

// AcquireLeft takes a lock that a killed process may have left, *lockfile.HeldError at once when its
// holder is alive. The kernel gives such a lock back when its last copy is closed, and a process
// that the dead one was starting has a copy until it runs its program.
func AcquireLeft(ctx context.Context, path, op, id string) (*lockfile.Lock, error) {
	return acquireAfter(ctx, path, purpose(op, id), patience{leftGrace, func(h lockfile.Holder) bool { return !h.Alive() }})
}

// patience is how long to wait for a lock, and for which of its holders.
type patience struct {
	grace time.Duration
	with  func(lockfile.Holder) bool
}

// acquireAfter takes a lock as soon as the holders that p has patience with let go of it. It returns
// *lockfile.HeldError for any other holder and after the time of p, and the error of ctx when it ends first.
func acquireAfter(ctx context.Context, path string, what lockfile.Purpose, p patience) (*lockfile.Lock, error) {
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

// Writes reports whether a holder is one that makes a commit and lets go.
func Writes(h lockfile.Holder) bool { return RoleOf(h) == lockfile.Brief }

// RoleOf is what the holder of a spec's lock does with it. A holder of an older version says so only in the first word of
// its text. One without a name is about to write it, or has just let go.
func RoleOf(h lockfile.Holder) lockfile.Role {
	if h.Role != "" {
		return h.Role
	}
	op, _, _ := strings.Cut(h.What, " ")
	return roleIn(op)
}

// roleIn is the role of the holder of a spec's lock in an operation.
func roleIn(op string) lockfile.Role {
	switch op {
	case "", "update", "edit", "check", "archive", "pause", "approve", "reject", "derive":
		return lockfile.Brief
	case "work":
		return lockfile.Works
	}
	return lockfile.Lasting
}

// purpose is what an operation takes the lock of a spec for.
func purpose(op, id string) lockfile.Purpose {
	return lockfile.Purpose{What: op + " " + id, Role: roleIn(op), About: id}
}

// LookEvery is how often a start, a stop or a wait looks again.
const LookEvery = 20 * time.Millisecond
