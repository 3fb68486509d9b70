package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// clockOff is a chant whose clock is off by the seconds in CHANT_E2E_CLOCK_OFF: everything in the process that asks for
// the time gets a wrong one, libraries too, while intervals stay right. Git's own processes have the right time.
//
// Nothing outside a process does that for a program of Go. A namespace of time has the monotonic clock and that of the boot,
// not the time of day; what is preloaded (libfaketime) replaces functions of libc, which Go does not call; and a
// seccomp filter sees no call, since the kernel answers in the process (vDSO). So package time is replaced when the
// program is built.
var clockOff = build{of: "chant/cmd/chant", overlay: offsetClock}

const clockOffBy = "CHANT_E2E_CLOCK_OFF"

// offsetClock writes a package time whose Now is off.
func offsetClock(dir string) (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	original, err := os.ReadFile(filepath.Join(source, "time.go"))
	if err != nil {
		return "", err
	}
	const asks = "\tsec, nsec, mono := runtimeNow()\n"
	_, rest, isThere := strings.Cut(string(original), "\nfunc Now() Time {\n")
	if !isThere || !strings.HasPrefix(rest, asks) {
		return "", errors.New("time.Now of this version of Go does not begin as expected")
	}
	off := strings.Replace(string(original), "\nfunc Now() Time {\n"+asks, "\nfunc Now() Time {\n"+asks+"\tsec += clockOff\n", 1)
	const reads = "package time\n\nimport \"syscall\"\n\nvar clockOff = func() int64 {\n\ttext, _ := syscall.Getenv(\"" + clockOffBy + "\")\n" +
		"\tsign := int64(1)\n\tif len(text) > 0 && text[0] == '-' {\n\t\tsign, text = -1, text[1:]\n\t}\n\tseconds, _ := atoi(text)\n\treturn sign * int64(seconds)\n}()\n"
	replace := map[string]string{}
	for name, text := range map[string]string{"time.go": off, "clockoff.go": reads} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(source, name)] = file
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, list, 0o644)
}

// TestClockOff: a chant whose clock is an hour off in one process or the other lands and recovers.
func TestClockOff(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/run, as the first build of a chant whose clock is off compiles Go's library anew")
	if runtime.GOOS != "linux" {
		t.Skip("the replaced package is that of Linux")
	}
	for _, off := range []time.Duration{time.Hour, -time.Hour} {
		t.Run(off.String(), func(t *testing.T) {
			t.Parallel()
			p := newWalledProject(t)
			mortal := p.program
			p.program = clockOff.use(t)
			p.env = append(p.env, fmt.Sprintf("%s=%d", clockOffBy, int(off.Seconds())))
			// Not a commit: git makes those, and has the right time.
			var stats struct{ Until time.Time }
			assert.NoError(t, json.Unmarshal([]byte(p.chant("stats", "--json")), &stats))
			by := time.Until(stats.Until) - off
			assert.True(t, by.Abs() <= time.Minute, "chant's time is %s beside the one that was set", by)
			p.addFile(crashID, crashSpec)
			p.program = mortal // on time, and it dies
			out, errs, code := p.try([]string{killAt + "=verify:begin"}, "work", crashID)
			assert.Equal(t, -1, code, "chant was not killed: exit %s %s", out, errs)
			p.program = clockOff.use(t)
			p.chant("watch", "--once")
			p.program = mortal
			p.lands()
		})
	}
}
