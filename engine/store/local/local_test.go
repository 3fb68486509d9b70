package local

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestLocal_ignoresItself(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for _, kind := range []Kind{Logs, Runs, Worktrees, Locks, Cache} {
		path, err := p.Local(kind, "x")
		want := filepath.Join(p.home, ".chant", string(kind), "x")
		if kind == Runs || kind == Locks { // out of reach of "git clean -fdx"
			want = filepath.Join(p.home, ".git", "chant", string(kind), "x")
		}
		if err != nil || path != want {
			t.Fatalf("%s: %q, %v", kind, path, err)
		}
		put(t, path, "mine")
	}
	for _, path := range []string{p.LogPath(idA), p.JournalPath(idA), p.LockPath(idA)} {
		put(t, path, "mine")
	}
	if path, err := p.WriteCache(idA, "prompt.md", []byte("do it")); err != nil || get(t, path) != "do it" {
		t.Errorf("%q, %v", path, err)
	}
	if got := p.git("status", "--porcelain", "--untracked-files=all"); got != "" {
		t.Errorf("git sees %q", got)
	}
}

func TestLocal_nothingUntilAsked(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	_, _ = p.LogPath(idA), p.JournalPath(idA)
	if _, err := p.Records(idA); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Join(p.home, Dir)); err != nil || len(left) > 0 {
		t.Errorf("reading made %q, %v", left, err)
	}
}

func TestCache_forItsOwnerAlone(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	path, err := p.WriteCache(idA, "mcp.json", []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		for file, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", file, info.Mode(), err)
			}
		}
	}
	if err := errors.Join(p.ClearCache(idA), p.ClearCache(idA)); err != nil || get(t, path) != "(none)" {
		t.Errorf("not cleared: %v", err)
	}
}
