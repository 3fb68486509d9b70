package gitops

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"
)

// backoff spaces out attempts: each wait is drawn at random below a bound that doubles
// from 4 to 250 ms, so that writers who met once do not meet again.
type backoff struct {
	until time.Time
	bound time.Duration
}

func newBackoff(total time.Duration) *backoff {
	return &backoff{until: time.Now().Add(total), bound: 4 * time.Millisecond}
}

// sleep waits for the next attempt; false means that there is none.
func (b *backoff) sleep(ctx context.Context) bool {
	if time.Now().After(b.until) {
		return false
	}
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

// contended tells whether git failed only because another process was at work.
func contended(err error) bool {
	var failed *GitError
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
	// A worktree half added, taken for a broken one and pruned by another process.
	return strings.Contains(failed.Stderr, "/worktrees/") && strings.Contains(failed.Stderr, "' for writing: No such file or directory")
}
