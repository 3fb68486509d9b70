package cmd

import (
	"testing"

	"chant/cmd/console"

	"github.com/alecthomas/assert/v2"
)

// maxRoot is how many allocations the tree of commands may need. Each process of chant makes it, also those that only print a
// status: what only a shell or a manual asks for is made when it is asked for.
const maxRoot = 3900

// TestRoot_isSmall counts what the tree of commands allocates.
func TestRoot_isSmall(t *testing.T) {
	got := testing.AllocsPerRun(5, func() { newRoot(&console.App{}) })
	assert.False(t, got > maxRoot, "%.0f allocations, want at most %d", got, maxRoot)
}
