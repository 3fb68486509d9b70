package mcp

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestExecutable notices a newer program, and neither an older nor a missing one.
func TestExecutable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "program")
	touch := func(at time.Time) { // in one step, since it may be looked at meanwhile
		t.Helper()
		next := file + ".next"
		assert.NoError(t, os.WriteFile(next, nil, 0o600))
		assert.NoError(t, os.Chtimes(next, at, at))
		assert.NoError(t, os.Rename(next, file))
	}
	now := time.Now()
	touch(now)
	ticks, done := make(chan time.Time), make(chan struct{})
	program := newExecutable(file)
	go func() {
		defer close(done)
		if !program.AwaitNewer(t.Context(), ticks) {
			t.Error("the test ends first")
		}
	}()
	tick := func() { ticks <- now }
	tick()
	tick() // the first is over
	touch(now.Add(-time.Hour))
	tick()
	assert.NoError(t, os.Remove(file))
	tick()
	select {
	case <-done:
		t.Fatal("an older or missing program ends the server")
	default:
	}
	touch(now.Add(time.Hour))
	select {
	case ticks <- now:
		<-done
	case <-done:
	}
}
