package providers

import (
	"os"
	"runtime"
	"testing"
)

func TestAncestors(t *testing.T) {
	t.Parallel()
	line := Ancestors()
	if runtime.GOOS == "darwin" {
		if len(line) > 0 {
			t.Errorf("%+v", line)
		}
		return
	}
	if len(line) == 0 || line[0].PID != os.Getppid() || line[0].Started != identity(os.Getppid()) {
		t.Errorf("%+v, want the parent %d first", line, os.Getppid())
	}
	for _, p := range line {
		if p.PID == os.Getpid() {
			t.Error("the process itself is among them")
		}
	}
}
