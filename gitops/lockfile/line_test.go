package lockfile

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestLineUp_firstComeFirstServed puts many into a line one after the other while its
// head is taken, and sees them come out in that order.
func TestLineUp_firstComeFirstServed(t *testing.T) {
	t.Parallel()
	const n = 20
	dir := filepath.Join(t.TempDir(), "line")
	head, err := LineUp(t.Context(), dir, "head")
	assert.NoError(t, err)
	order := make(chan int, n)
	for i := range n {
		place, err := takePlace(t.Context(), dir, "place")
		assert.NoError(t, err)
		go func() {
			if err := awaitFront(t.Context(), place); err != nil {
				t.Error(err)
			}
			order <- i
			if err := place.Leave(); err != nil {
				t.Error(err)
			}
		}()
	}
	assert.NoError(t, head.Leave())
	var came []int
	for range n {
		came = append(came, <-order)
	}
	assert.True(t, slices.IsSorted(came), "came out as %v", came)
}

// TestLineUp_deadAndGone passes those who left without a word, and leaves itself when it is
// told to stop.
func TestLineUp_deadAndGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	assert.NoError(t, os.WriteFile(placePath(dir, 7), []byte("dead"), 0o644))
	head, err := LineUp(t.Context(), dir, "head")
	assert.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = LineUp(ctx, dir, "late")
	assert.IsError(t, err, context.Canceled)
	assert.NoError(t, head.Leave())
	left, err := placesIn(dir)
	assert.NoError(t, err, "places left: %v", left)
	assert.Zero(t, left, "places left: %v", left)
}
