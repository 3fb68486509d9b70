package gitexec

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// ErrSilent says that a command which talks to a remote was ended because it made no progress. The remote may have done
// what it was asked to.
var ErrSilent = errors.New("no sign of progress")

const (
	// RemoteLimit bounds commands that talk to a remote, as long as they make progress.
	RemoteLimit = 6 * time.Hour

	firstSilence = 15 * time.Second // when a link is down for a while, TCP waits longer than that until it tries again
	maxSilence   = LongLimit
)

// silence is how long commands that talk to a remote may print nothing. A remote that lets a command wait for long, as one
// with slow hooks does, gets more time after each failure.
type silence struct {
	mu  sync.Mutex
	now time.Duration
}

func (s *silence) limit(first time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.now, first)
}

// learn draws the conclusion of a command that might be silent for most, and took so long.
func (s *silence) learn(most, took time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case errors.Is(err, ErrSilent):
		// The time doubles up to a bound, so that a remote with slow hooks gets through and a dead one does not hold a
		// command for hours.
		s.now = min(max(s.now, 2*most), maxSilence)
	case err == nil:
		// Success shortens it again to twice what was needed.
		s.now = min(2*took, maxSilence)
	}
}

// listener ends a context when nothing is written to it for some time.
type listener struct {
	to    io.Writer
	most  time.Duration
	timer *time.Timer
}

func newListener(to io.Writer, most time.Duration, end context.CancelCauseFunc) *listener {
	return &listener{to: to, most: most, timer: time.AfterFunc(most, func() { end(ErrSilent) })}
}

func (l *listener) Write(p []byte) (int, error) {
	l.timer.Reset(l.most)
	return l.to.Write(p)
}

func (l *listener) stop() { l.timer.Stop() }
