package gate

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
)

// TestMoveAside: a replaced hook is kept, and so is one that was replaced earlier; a third one is refused.
func TestMoveAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "pre-commit")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"first\n", "second\n"} {
		put("#!/usr/bin/perl\n" + text)
		if err := moveAside(path); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"pre-commit.chant-before": "second", "pre-commit.chant-before.old": "first", "pre-commit": "chant hooks"} {
		if got := enginetest.Read(t, dir, name); !strings.Contains(got, want) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	put("#!/usr/bin/perl\nthird\n")
	err := moveAside(path)
	if enginetest.CodeOf(t, err) != engine.Conflict || enginetest.Read(t, dir, "pre-commit") != "#!/usr/bin/perl\nthird\n" {
		t.Errorf("a third one: %v", err)
	}
	if err := restoreBackup(path); err != nil || !strings.Contains(enginetest.Read(t, dir, "pre-commit"), "second") {
		t.Errorf("moved back: %v", err)
	}
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
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pre-commit", "pre-push"} {
		if err := os.Symlink("../tool", filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"pre-commit", "pre-push"} {
		if err := moveAside(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if got := enginetest.Read(t, dir, "chant-before/"+name); !strings.Contains(got, "ruby") {
			t.Errorf("%s, moved: %q", name, got)
		}
		if engine.Exists(filepath.Join(dir, name+".chant-before")) {
			t.Errorf("%s has another name", name)
		}
	}
	for _, name := range []string{"pre-commit", "pre-push"} {
		if err := restoreBackup(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if target, err := os.Readlink(filepath.Join(dir, name)); err != nil || target != "../tool" {
			t.Errorf("%s, moved back: %q, %v", name, target, err)
		}
	}
	if engine.Exists(filepath.Join(dir, "chant-before")) {
		t.Error("the folder of moved hooks is left")
	}
}
