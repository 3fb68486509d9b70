package loop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func onlySh(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for sh")
	}
}

func TestRunCommand(t *testing.T) {
	t.Parallel()
	onlySh(t)
	b, top := box(t, map[string]string{"f": "content"})
	type in = map[string]any
	for _, test := range []struct {
		in   in
		want string // the text, or the error with a ! before it
	}{
		{in{"command": "cat f"}, "content"},
		{in{"command": "pwd -P; echo err >&2"}, real(t, top) + "\nerr"},
		{in{"command": "true"}, "[no output]"},
		{in{"command": "echo no; exit 3"}, "!no\n[exit code 3]"},
		{in{"command": "kill -9 $$"}, "![no output]\n[exit code 137]"},
		{in{"command": "cat"}, "[no output]"}, // its input is the null device
		{in{"command": " "}, "!the command is empty or contains a NUL byte"},
		{in{"command": "env | cut -d= -f1 | sort | tr '\\n' ' '"}, "CHANT_LINEAGE PATH PWD "},
	} {
		text, err := b.use("run_command", test.in)
		if want, fails := strings.CutPrefix(test.want, "!"); fails {
			assert.Error(t, err, "%v: %q", test.in, text)
			assert.Equal(t, want, err.Error(), "%v: %q", test.in, text)
		} else if err != nil || !strings.HasPrefix(text, strings.TrimRight(want, " ")) {
			t.Errorf("%v: %q, %v", test.in, text, err)
		}
	}
	text, err := b.use("run_command", in{"command": "echo first; yes | head -c 100000; echo last"})
	assert.NoError(t, err)
	assert.HasPrefix(t, text, "first\n")
	assert.HasSuffix(t, text, "last")
	assert.Contains(t, text, "bytes left out")
	assert.True(t, len(text) <= b.said, "%d bytes, %v", len(text), err)
}

func real(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	assert.NoError(t, err)
	return path
}

// TestRunCommand_leavesNothing: what a command started is gone when it answers, whether
// it ended, took too long or was stopped.
func TestRunCommand_leavesNothing(t *testing.T) {
	t.Parallel()
	onlySh(t)
	background := "sleep 600 & echo $! > pid; "
	for name, test := range map[string]struct {
		command, want string
	}{
		"ended":          {background + "echo ok", "ok"},
		"too long":       {background + "wait", "[stopped: it took longer than 1s]"},
		"stopped":        {background + "touch ready; wait", context.Canceled.Error()},
		"left its group": {"if command -v setsid >/dev/null; then setsid sh -c 'echo $$ > pid; exec sleep 600' & while [ ! -s pid ]; do :; done; else " + background + "fi; echo ok", "ok"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, top := box(t, nil)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			watching := make(chan struct{})
			go func() {
				defer close(watching)
				for ctx.Err() == nil {
					if _, err := os.Stat(filepath.Join(top, "ready")); err == nil {
						cancel()
					}
					time.Sleep(time.Millisecond)
				}
			}()
			text, err := b.call(ctx, call{Tool: "run_command", Input: quoted(map[string]any{"command": test.command, "timeout": 1})})
			cancel()
			<-watching
			if err != nil {
				text = err.Error()
			}
			assert.Contains(t, text, test.want)
			pid, err := strconv.Atoi(strings.TrimSpace(read(t, top, "pid")))
			assert.NoError(t, err)
			gone(t, pid)
		})
	}
}

// gone waits until a killed process is reaped by its new parent.
func gone(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	for range 5000 {
		if err := p.Signal(syscall.Signal(0)); errors.Is(err, os.ErrProcessDone) || zombie(pid) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("process %d is alive", pid)
}

// zombie reports whether a process has ended and was not reaped, as when no init
// runs here.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}
