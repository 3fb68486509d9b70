package tree_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/runtest"
	"chant/engine/run/tree"

	"github.com/alecthomas/assert/v2"
)

// TestGuardPermissions: what the owner of folders and files that git and chant need could do with them is possible again, and
// nothing else changes.
func TestGuardPermissions(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("permissions are others here")
	}
	r := runtest.Start(t, runtest.Plain)
	home := filepath.Join(t.TempDir(), "user")
	r.Environ = append(r.Environ, "HOME="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	enginetest.Write(t, home, ".gitconfig", "")
	enginetest.Write(t, home, ".cache/chant/x.agents/file", "")
	enginetest.Write(t, home, ".config/chant/keys/k", "")
	enginetest.Write(t, home, "mine", "")
	enginetest.Write(t, r.Dir, ".git/hooks/pre-push", "#!/bin/sh\n")
	enginetest.Write(t, r.Dir, ".git/refs/heads/chant/linked/file", "")
	enginetest.Write(t, r.Dir, ".git/refs/heads/chant/other", "")
	assert.NoError(t, os.Chmod(filepath.Join(r.Dir, ".git", "hooks", "pre-push"), 0o755))
	assert.NoError(t, os.Chmod(filepath.Join(home, ".cache", "chant"), 0o2750))
	taken := []string{
		r.Dir, r.Dir + "/.git", r.Dir + "/.git/HEAD", r.Dir + "/.git/chant", r.Dir + "/.git/chant/runs", r.Dir + "/.git/refs", r.Dir + "/.git/refs/heads",
		r.Dir + "/.git/refs/heads/main", r.Dir + "/.git/objects", r.Dir + "/.git/objects/pack", r.Dir + "/.git/worktrees", r.Dir + "/.chant",
		r.Dir + "/.chant/specs", r.Dir + "/" + runtest.Own, r.Dir + "/.chant/worktrees", home, home + "/.gitconfig", home + "/.cache", home + "/.cache/chant",
		home + "/.cache/chant/x.agents", home + "/.config", home + "/.config/chant/keys/k", filepath.Dir(home),
	}
	left := []string{home + "/mine", r.Dir + "/.git/hooks/pre-push"}
	was := modes(t, append(taken, left...))
	assert.NoError(t, r.Log.Open("agent"))
	t.Cleanup(func() { assert.NoError(t, r.Log.Close()) })
	putBack := tree.GuardPermissions(r.Trees, journal.Agent)
	// What is deeper comes first, since an ordinary user could not reach it otherwise.
	for _, path := range []string{home + "/mine", r.Dir + "/.git/hooks/pre-push"} {
		assert.NoError(t, os.Chmod(path, 0o600))
	}
	linked := filepath.Join(r.Dir, ".git", "refs", "heads", "chant", "linked")
	assert.NoError(t, os.RemoveAll(linked))
	assert.NoError(t, os.Symlink(home, linked))
	assert.NoError(t, os.Chmod(filepath.Join(r.Dir, ".git", "refs", "heads", "chant", "other"), 0o666))
	for i := len(taken) - 1; i >= 0; i-- {
		assert.NoError(t, os.Chmod(taken[i], 0))
		if i == len(taken)-1 { // the folder above the home folder
			assert.NoError(t, os.Chmod(taken[i], was[taken[i]].Perm()))
		}
	}
	assert.NoError(t, putBack())
	now := modes(t, append(taken, left...))
	for _, path := range taken {
		assert.Equal(t, was[path]&(0o700|fs.ModeType), now[path]&(0o700|fs.ModeType), "%s", path)
	}
	for _, path := range left {
		assert.Equal(t, 0o600, now[path].Perm(), "%s", path)
	}
	info, err := os.Stat(filepath.Join(r.Dir, ".git", "refs", "heads", "chant", "other"))
	assert.NoError(t, err)
	assert.Equal(t, 0o666, info.Mode().Perm(), "permissions that were added")
	log := enginetest.Read(t, r.Dir, ".chant/logs/"+runtest.ID+".log")
	assert.Contains(t, log, `warning: permissions of "`+filepath.Join(r.Dir, ".git")+`" were taken away while the agent worked; they were put back`)
	assert.Contains(t, log, " more\n")
	before := strings.Count(log, "\n")
	assert.NoError(t, tree.GuardPermissions(r.Trees, journal.Agent)())
	assert.Equal(t, before, strings.Count(enginetest.Read(t, r.Dir, ".chant/logs/"+runtest.ID+".log"), "\n"), "something is reported although nothing has changed")
}

func modes(t *testing.T, paths []string) map[string]fs.FileMode {
	t.Helper()
	out := map[string]fs.FileMode{}
	for _, path := range paths {
		info, err := os.Lstat(path)
		assert.NoError(t, err)
		out[path] = info.Mode()
	}
	return out
}
