package jetstream

import (
	"context"
	"sync"
	"time"

	"chant/engine/fleet"
)

// clockTime is how long the time of the server counts as known. Meanwhile the steady clock of this machine counts on.
const clockTime = time.Minute

// clock is the time of the server when it was asked for last.
type clock struct {
	mu    sync.Mutex
	there time.Time // by the server
	here  time.Time // with the steady clock of this machine
}

// now returns the time of the server: when it has stored a message, and what has passed since then here.
func (b *Broker) now(ctx context.Context) (time.Time, error) {
	c := &b.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	if passed := time.Since(c.here); !c.here.IsZero() && passed < clockTime {
		return c.there.Add(passed), nil
	}
	on := b.project.Value("clock")
	if _, err := b.store(ctx, b.project.KeptStream(), on, []byte("?"), anySequence); err != nil {
		return time.Time{}, err
	}
	m, err := b.last(ctx, b.project.KeptStream(), on)
	if err != nil {
		return time.Time{}, err
	}
	if m.stored.IsZero() {
		return time.Time{}, b.problem(fleet.Unexpected, nil, "the server does not say when it has stored a message")
	}
	c.there, c.here = m.stored, time.Now()
	return c.there, nil
}
