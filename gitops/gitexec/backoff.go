package gitexec

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"
)

// Backoff spaces out attempts: each wait is drawn at random below a bound that doubles
// from 4 to 250 ms, so that writers who met once do not meet again.
type Backoff struct {
	until time.Time
	bound time.Duration
}

// NewBackoff returns a Backoff that allows attempts for as long as total.
func NewBackoff(total time.Duration) *Backoff {
	return &Backoff{until: time.Now().Add(total), bound: 4 * time.Millisecond}
}

// Sleep waits for the next attempt; false means that there is none.
func (b *Backoff) Sleep(ctx context.Context) bool {
	if time.Now().After(b.until) {
		return false
	}
	// A random wait keeps two writers that met once from meeting again at the next attempt.
	timer := time.NewTimer(time.Millisecond + rand.N(b.bound))
	defer timer.Stop()
	b.bound = min(2*b.bound, 250*time.Millisecond)
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// Contended reports whether git failed only because another process was at work.
func Contended(err error) bool {
	var failed *Error
	if !errors.As(err, &failed) {
		return false
	}
	for _, sign := range []string{
		".lock': File exists", "could not lock config file", "Another git process",
		"/commondir: ", // of another worktree, while it is being added or removed
	} {
		if strings.Contains(failed.Stderr, sign) {
			return true
		}
	}
	return wasPruned(failed) || wasOvertaken(failed)
}

// wasOvertaken reports whether another process moved a ref while a fetch was about to, so that the ref no longer had the
// value that the fetch had read. Where a program moves refs from a value to another, the same message is its answer.
func wasOvertaken(failed *Error) bool {
	// Other commands print the same message when the ref does not have the value that their caller expected, which waiting
	// does not change.
	return len(failed.Args) > 0 && failed.Args[0] == "fetch" && strings.Contains(failed.Stderr, "cannot lock ref '") &&
		(strings.Contains(failed.Stderr, "but expected ") || strings.Contains(failed.Stderr, "': reference already exists"))
}

// wasPruned reports whether a worktree, while it was half added, was taken for a broken one by
// another process and its registration removed; git then stumbles over what is missing.
func wasPruned(failed *Error) bool {
	if len(failed.Args) == 0 || failed.Args[0] != "worktree" {
		return false
	}
	// Git then misses a file of its own registration, for which it has several messages.
	missing := strings.Contains(failed.Stderr, "No such file or directory") || strings.Contains(failed.Stderr, "not a git repository")
	return missing && strings.Contains(failed.Stderr, "/worktrees/") || strings.Contains(failed.Stderr, "couldn't set 'HEAD'")
}
