package lockfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestLineUp_firstComeFirstServed puts many into a line one after the other while its
// head is taken, and sees them come out in that order.
func TestLineUp_firstComeFirstServed(t *testing.T) {
	t.Parallel()
	const n = 20
	dir := filepath.Join(t.TempDir(), "line")
	head, err := LineUp(t.Context(), dir, "head")
	if err != nil {
		t.Fatal(err)
	}
	order := make(chan int, n)
	for i := range n {
		place, err := takePlace(t.Context(), dir, "place")
		if err != nil {
			t.Fatal(err)
		}
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
	if err := head.Leave(); err != nil {
		t.Fatal(err)
	}
	var came []int
	for range n {
		came = append(came, <-order)
	}
	if !slices.IsSorted(came) {
		t.Errorf("came out as %v", came)
	}
}

// TestLineUp_deadAndGone passes those who left without a word, and leaves itself when it is
// told to stop.
func TestLineUp_deadAndGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(placePath(dir, 7), []byte("dead"), 0o644); err != nil {
		t.Fatal(err)
	}
	head, err := LineUp(t.Context(), dir, "head")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := LineUp(ctx, dir, "late"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := head.Leave(); err != nil {
		t.Fatal(err)
	}
	if left, err := placesIn(dir); err != nil || len(left) > 0 {
		t.Errorf("places left: %v, %v", left, err)
	}
}
