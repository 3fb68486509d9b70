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
	if len(line) == 0 || line[0].PID != os.Getppid() || line[0].Started != identity(os.Getppid()) {
		t.Errorf("%+v, want the parent %d first", line, os.Getppid())
	}
	for _, p := range line {
		assert.NotEqual(t, os.Getpid(), p.PID, "the process itself is among them")
	}
}
