package layout

import (
	"os"
	"runtime"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestFull: the file system of this test has space; one that is always full is found to be.
func TestFull(t *testing.T) {
	t.Parallel()
	assert.False(t, Full(t.TempDir()), "full")
	assert.False(t, Full(""), "full")
	assert.False(t, Full("/no/such/folder"), "full")
	_, err := os.Stat("/sys/kernel")
	assert.False(t, runtime.GOOS == "linux" && err == nil && Full("/sys/kernel"), "a file system without blocks is not full")
}
