package local

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err, "%s", kind)
		assert.Equal(t, want, path, "%s", kind)
		put(t, path, "mine")
	}
	for _, path := range []string{p.LogPath(idA), p.JournalPath(idA), p.LockPath(idA)} {
		put(t, path, "mine")
	}
	path, err := p.WriteCache(idA, "prompt.md", []byte("do it"))
	assert.NoError(t, err)
	assert.Equal(t, "do it", get(t, path))
	assert.Equal(t, "", p.git("status", "--porcelain", "--untracked-files=all"))
}

func TestLocal_nothingUntilAsked(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	_, _ = p.LogPath(idA), p.JournalPath(idA)
	_, err := p.Records(idA)
	assert.NoError(t, err)
	left, err := os.ReadDir(filepath.Join(p.home, Dir))
	assert.NoError(t, err, "reading made %q", left)
	assert.Zero(t, left, "reading made %q", left)
}

func TestCache_forItsOwnerAlone(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	path, err := p.WriteCache(idA, "mcp.json", []byte("{}"))
	assert.NoError(t, err)
	if runtime.GOOS != "windows" {
		for file, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", file, info.Mode(), err)
			}
		}
	}
	err = errors.Join(p.ClearCache(idA), p.ClearCache(idA))
	assert.NoError(t, err)
	assert.Equal(t, "(none)", get(t, path))
}
