package criteria

import "context"

// spot is a Spot in which one command runs at a time.
type spot struct {
	Spot
	used bool // a command ran since it was restored
}

// restore restores the state that every command must see.
func (s *spot) restore(ctx context.Context) error {
	if !s.used || s.Restore == nil {
		return nil
	}
	if err := s.Restore(ctx); err != nil {
		return err
	}
	s.used = false
	return nil
}

// judgeBeside judges one item while others are judged, in a tree of its own if More can
// create one.
func (c *checker) judgeBeside(ctx context.Context, item Item) (Verdict, error) {
	if c.More == nil || len(item.Steps) == 0 {
		return c.judge(ctx, &spot{Spot: c.Spot}, item)
	}
	at, err := c.take(ctx)
	if err != nil {
		return Verdict{}, err
	}
	v, err := c.judge(ctx, at, item)
	c.mu.Lock()
	c.free = append(c.free, at)
	c.mu.Unlock()
	return v, err
}

// take returns a tree in which no command runs.
func (c *checker) take(ctx context.Context) (*spot, error) {
	c.mu.Lock()
	if last := len(c.free) - 1; last >= 0 {
		at := c.free[last]
		c.free = c.free[:last]
		c.mu.Unlock()
		return at, nil
	}
	// Making a tree takes long, and others may return theirs meanwhile.
	c.mu.Unlock()
	more, err := c.More(ctx)
	return &spot{Spot: more}, err
}
