package cmd

import (
	"os"
	"path/filepath"
	"testing"
)

func TestKeptFolder(t *testing.T) {
	t.Parallel()
	top := filepath.Join(t.TempDir(), ".chant", "repo") // a person may name a folder like that
	for _, git := range []string{".git", ".chant/worktrees/abc/.git"} {
		if err := os.MkdirAll(filepath.Join(top, filepath.FromSlash(git)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range map[string]string{
		"out.csv": "", "docs/out.csv": "", ".chant/worktrees/abc/out.csv": "", ".chant/worktrees/abc/docs/out.csv": "",
		".chant/config.md": ".chant", ".chant/specs/a.md": ".chant", ".chant/worktrees/out.csv": ".chant",
		".chant/worktrees/abc/.chant/config.md": ".chant", ".git/config": ".git", ".git/hooks/pre-push": ".git", "nowhere/deep/out.csv": "",
	} {
		path := filepath.Join(top, filepath.FromSlash(file))
		if filepath.Base(filepath.Dir(path)) != "deep" {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if got, _ := keptFolder(path); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
