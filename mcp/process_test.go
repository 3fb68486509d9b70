package mcp

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestExecutable notices a newer program, and neither an older nor a missing one.
func TestExecutable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "program")
	touch := func(at time.Time) { // in one step, since it may be looked at meanwhile
		t.Helper()
		next := file + ".next"
		if err := os.WriteFile(next, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(next, at, at); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, file); err != nil {
			t.Fatal(err)
		}
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
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
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
