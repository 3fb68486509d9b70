package cmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestKeptFolder(t *testing.T) {
	t.Parallel()
	top := filepath.Join(t.TempDir(), ".chant", "repo") // a person may name a folder like that
	for _, git := range []string{".git", ".chant/worktrees/abc/.git"} {
		assert.NoError(t, os.MkdirAll(filepath.Join(top, filepath.FromSlash(git)), 0o755))
	}
	for file, want := range map[string]string{
		"out.csv": "", "docs/out.csv": "", ".chant/worktrees/abc/out.csv": "", ".chant/worktrees/abc/docs/out.csv": "",
		".chant/config.md": ".chant", ".chant/specs/a.md": ".chant", ".chant/worktrees/out.csv": ".chant",
		".chant/worktrees/abc/.chant/config.md": ".chant", ".git/config": ".git", ".git/hooks/pre-push": ".git", "nowhere/deep/out.csv": "",
	} {
		path := filepath.Join(top, filepath.FromSlash(file))
		if filepath.Base(filepath.Dir(path)) != "deep" {
			assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		}
		got, _ := keptFolder(path)
		assert.Equal(t, want, got, "%s", file)
	}
}
