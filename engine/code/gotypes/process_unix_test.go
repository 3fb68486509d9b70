//go:build unix

package gotypes_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"chant/engine/code/gotypes"
)

// withGo returns a worktree whose go command is a shell script.
func withGo(t *testing.T, script string) gotypes.Request {
	t.Helper()
	r := worktree(t, plain)
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	r.Environ = []string{"PATH=" + bin + ":" + os.Getenv("PATH")}
	return r
}

func TestLoad_otherGo(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ script, notice string }{
		"fails":             {"echo 'go: no such thing' >&2; exit 1", "no such thing"},
		"fails silently":    {"exit 1", "exit status 1"},
		"is killed":         {"kill -9 $$", "killed"},
		"prints no JSON":    {"echo hello", "cannot be read"},
		"is cut off":        {`printf '{"ImportPath":"m","Na'`, "cannot be read"},
		"prints other JSON": {"echo '[1]'", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			facts, err := gotypes.Load(t.Context(), withGo(t, test.script))
			if err != nil {
				t.Fatal(err)
			}
			if len(facts.Notices) != 1 || !strings.Contains(facts.Notices[0], test.notice) {
				t.Errorf("notices %q, want %q", facts.Notices, test.notice)
			}
		})
	}
}

// TestLoad_hangs cancels while go and a process that it has started wait. Both keep a pipe open until they end.
func TestLoad_hangs(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	r := withGo(t, "exec 3> '"+pipe+"'\necho started >&3\nsleep 600 &\nwait\n")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := gotypes.Load(ctx, r)
		ended <- err
	}()
	f, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := f.Read(make([]byte, 100)); n == 0 {
		t.Fatalf("go does not start: %v", err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if _, err := io.ReadAll(f); err != nil { // ends with the last process
		t.Error(err)
	}
}
