//go:build unix

package gotypes_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"chant/engine/code/gotypes"

	"github.com/alecthomas/assert/v2"
)

// withGo returns a worktree whose go command is a shell script.
func withGo(t *testing.T, script string) gotypes.Request {
	t.Helper()
	r := worktree(t, plain)
	bin := t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\n"+script), 0o755))
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
			assert.NoError(t, err)
			assert.Equal(t, 1, len(facts.Notices))
			assert.Contains(t, facts.Notices[0], test.notice)
		})
	}
}

// TestLoad_hangs cancels while go and a process that it has started wait. Both keep a pipe open until they end.
func TestLoad_hangs(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	assert.NoError(t, syscall.Mkfifo(pipe, 0o600))
	r := withGo(t, "exec 3> '"+pipe+"'\necho started >&3\nsleep 600 &\nwait\n")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := gotypes.Load(ctx, r)
		ended <- err
	}()
	f, err := os.Open(pipe)
	assert.NoError(t, err)
	defer f.Close()
	n, err := f.Read(make([]byte, 100))
	assert.NotEqual(t, 0, n, "go does not start: %v", err)
	cancel()
	assert.IsError(t, <-ended, context.Canceled)
	if _, err := io.ReadAll(f); err != nil { // ends with the last process
		t.Error(err)
	}
}
