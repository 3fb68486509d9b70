package gate

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestMoveAside: a replaced hook is kept, and so is one that was replaced earlier; a third one is refused.
func TestMoveAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "pre-commit")
	put := func(text string) {
		t.Helper()
		assert.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	}
	for _, text := range []string{"first\n", "second\n"} {
		put("#!/usr/bin/perl\n" + text)
		assert.NoError(t, moveAside(path))
	}
	for name, want := range map[string]string{"pre-commit.chant-before": "second", "pre-commit.chant-before.old": "first", "pre-commit": "chant hooks"} {
		assert.Contains(t, enginetest.Read(t, dir, name), want, "%s:", name)
	}
	put("#!/usr/bin/perl\nthird\n")
	err := moveAside(path)
	assert.Equal(t, engine.Conflict, enginetest.CodeOf(t, err), "a third one")
	assert.Equal(t, "#!/usr/bin/perl\nthird\n", enginetest.Read(t, dir, "pre-commit"), "a third one")
	err = restoreBackup(path)
	assert.NoError(t, err)
	assert.Contains(t, enginetest.Read(t, dir, "pre-commit"), "second")
}

// TestMoveAside_severalNames: a program that decides by its name keeps that name, and a link its target.
func TestMoveAside_severalNames(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links")
	}
	top := t.TempDir()
	dir := filepath.Join(top, "hooks")
	enginetest.Write(t, top, "tool", "#!/usr/bin/env ruby\nputs $0\n")
	assert.NoError(t, os.Mkdir(dir, 0o755))
	for _, name := range []string{"pre-commit", "pre-push"} {
		assert.NoError(t, os.Symlink("../tool", filepath.Join(dir, name)))
	}
	for _, name := range []string{"pre-commit", "pre-push"} {
		assert.NoError(t, moveAside(filepath.Join(dir, name)))
		assert.Contains(t, enginetest.Read(t, dir, "chant-before/"+name), "ruby", "%s, moved", name)
		assert.False(t, engine.Exists(filepath.Join(dir, name+".chant-before")), "%s has another name", name)
	}
	for _, name := range []string{"pre-commit", "pre-push"} {
		assert.NoError(t, restoreBackup(filepath.Join(dir, name)))
		target, err := os.Readlink(filepath.Join(dir, name))
		assert.NoError(t, err, "%s, moved back", name)
		assert.Equal(t, "../tool", target, "%s, moved back", name)
	}
	assert.False(t, engine.Exists(filepath.Join(dir, "chant-before")), "the folder of moved hooks is left")
}
