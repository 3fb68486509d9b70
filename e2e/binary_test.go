package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// chantBinary builds the real program, as people have it, and returns its path.
func chantBinary(t testing.TB) string { return chant.use(t) }

// fleetBinary builds chant with the server of a queue.
func fleetBinary(t testing.TB) string { return chantFleet.use(t) }

// killableBinary builds a chant that kills itself on request, see e2e/killable.
func killableBinary(t testing.TB) string { return killable.use(t) }

var (
	chant      = build{of: "chant/cmd/chant"}
	chantFleet = build{of: "chant/cmd/chant-fleet"}
	killable   = build{of: "chant/e2e/killable"}
)

// build is a program that all tests share; runTests removes it. Without the race detector a process starts in a quarter
// of the time.
type build struct {
	of string // a package
	// overlay writes into a folder what replaces files of Go in this build, and returns the file that says so; nil = nothing.
	overlay func(dir string) (string, error)

	once sync.Once
	dir  string
	err  error
}

// use returns the path of the program.
func (b *build) use(t testing.TB) string {
	t.Helper()
	b.once.Do(b.make)
	assert.NoError(t, b.err, "build %s", b.of)
	return b.path()
}

func (b *build) make() {
	if b.dir, b.err = os.MkdirTemp("", "chant-e2e-"); b.err != nil {
		return
	}
	args := []string{"build", "-race=false", "-ldflags=-s -w", "-o", b.path()}
	if b.overlay != nil {
		var file string
		if file, b.err = b.overlay(b.dir); b.err != nil {
			return
		}
		args = append(args, "-overlay="+file)
	}
	out, err := exec.Command("go", append(args, b.of)...).CombinedOutput()
	if err != nil {
		b.err = fmt.Errorf("%w\n%s", err, out)
	}
}

// remove removes the program, if it was built.
func (b *build) remove() error {
	if b.dir == "" {
		return nil
	}
	return os.RemoveAll(b.dir)
}

func (b *build) path() string {
	if runtime.GOOS == "windows" {
		return filepath.Join(b.dir, "chant.exe")
	}
	return filepath.Join(b.dir, "chant")
}

// ran is what became of a command.
type ran struct {
	code        int
	out, stderr string
}

// execute runs a program to its end. stdin is empty.
func execute(t testing.TB, dir string, env []string, program string, args ...string) ran {
	t.Helper()
	var out, stderr bytes.Buffer
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir, c.Env, c.Stdout, c.Stderr = dir, env, &out, &stderr
	// A process left behind would hold the pipes open; that is to fail, not to hang.
	c.WaitDelay = 10 * time.Second
	err := c.Run()
	var exit *exec.ExitError
	assert.False(t, err != nil && !errors.As(err, &exit), "%s %q: %s\n%s%s", filepath.Base(program), args, err, &out, &stderr)
	return ran{c.ProcessState.ExitCode(), out.String(), stderr.String()}
}
