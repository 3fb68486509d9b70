package store

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
	for _, kind := range []Local{Logs, Runs, Worktrees, Locks, Cache} {
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
	p := newProject(t, idA, "pending")
	p.load()
	_, _ = p.LogPath(idA), p.JournalPath(idA)
	if left := leftovers(t, filepath.Join(p.home, ".chant"), "specs"); left != nil {
		t.Errorf("reading made %q", left)
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

func TestSpecOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		SpecPath(idA): idA, ".chant/specs/.md": "", ".chant/specs/.draft.md": "", ".chant/specs/a/b.md": "", ".chant/specs/a.txt": "", "specs/a.md": "", ".chant/config.md": "", "": "",
	} {
		if id, ok := SpecOf(path); ok != (want != "") || ok && id != want {
			t.Errorf("%q: %q, %v", path, id, ok)
		}
	}
}
