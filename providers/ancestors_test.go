package providers

import (
	"os"
	"runtime"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestAncestors(t *testing.T) {
	t.Parallel()
	line := Ancestors()
	if runtime.GOOS == "darwin" {
		assert.Zero(t, line)
		return
	}
	assert.NotEqual(t, 0, len(line))
	assert.Equal(t, os.Getppid(), line[0].PID)
	assert.Equal(t, identity(os.Getppid()), line[0].Started)
	for _, p := range line {
		assert.NotEqual(t, os.Getpid(), p.PID, "the process itself is among them")
	}
}
