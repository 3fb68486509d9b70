package lockfile

import (
	"context"
	"os"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestTakePlace gives places in the order in which they are asked for, and again to nobody.
func TestTakePlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/line"
	none, err := Places(dir)
	assert.NoError(t, err)
	assert.Zero(t, none)
	var places []*Place
	for i := range 3 {
		p, err := TakePlace(t.Context(), dir, Purpose{What: "land"})
		assert.NoError(t, err)
		assert.Equal(t, i+1, p.Number)
		places = append(places, p)
	}
	assert.NoError(t, places[0].Leave())
	left, err := Places(dir)
	assert.NoError(t, err)
	assert.Equal(t, []int{2, 3}, left)
	assert.False(t, Taken(dir, 1))
	assert.True(t, Taken(dir, 2))
	last, err := TakePlace(t.Context(), dir, Purpose{})
	assert.NoError(t, err)
	assert.Equal(t, 4, last.Number)
	for _, p := range append(places[1:], last) {
		assert.NoError(t, p.Leave())
	}
}

// TestTakePlace_deadAndGone sees that the place of a process that died is not taken, and leaves when told to stop.
func TestTakePlace_deadAndGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	assert.NoError(t, os.WriteFile(placePath(dir, 7), []byte("dead"), 0o644))
	assert.False(t, Taken(dir, 7))
	p, err := TakePlace(t.Context(), dir, Purpose{})
	assert.NoError(t, err)
	assert.Equal(t, 8, p.Number)
	SweepPlace(dir, 7)
	left, err := Places(dir)
	assert.NoError(t, err)
	assert.Equal(t, []int{8}, left)
	assert.NoError(t, p.Leave())
	// The gate is held, so the context decides.
	gate, err := newFlock(dir + "/gate.lock")
	assert.NoError(t, err)
	assert.NoError(t, gate.Lock())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = TakePlace(ctx, dir, Purpose{})
	assert.IsError(t, err, context.Canceled)
	assert.NoError(t, gate.Unlock())
}
