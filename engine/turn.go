package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chant/gitops"
)

// turnGrace bounds the wait for holders that only write: one of them may hang.
const turnGrace = 30 * time.Second

// acquire takes a lock. Agents write to one spec at the same time, each by a server
// of its own: they take turns, and none is told to come again.
func acquire(ctx context.Context, path, what string) (*gitops.Lock, error) {
	patience := time.NewTimer(turnGrace)
	defer patience.Stop()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		lock, err := gitops.Acquire(path, what)
		locked, ok := errors.AsType[*gitops.LockError](err)
		if !ok || !writes(locked.Holder) {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-patience.C:
			return nil, err
		case <-tick.C:
		}
	}
}

// writes reports whether a holder is one that makes a commit and lets go. One
// without a name is about to write it, or has just let go.
func writes(h gitops.Holder) bool {
	verb, _, _ := strings.Cut(h.What, " ")
	return slices.Contains([]string{"", "update", "edit", "check", "archive", "pause", "approve", "reject", "derive"}, verb)
}
