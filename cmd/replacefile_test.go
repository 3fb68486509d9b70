package cmd

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReplaceFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	for _, text := range []string{"one\n", "two\n"} {
		if err := replaceFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := replaceFile(dir, nil); err == nil {
		t.Error("a folder was replaced")
	}
	if err := replaceFile(filepath.Join(dir, "none", "out.csv"), nil); err == nil {
		t.Error("a folder was made")
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".chant-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestReplaceFile_link: the file that a link leads to is written, and the link stays.
func TestReplaceFile_link(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	to, link := filepath.Join(dir, "to"), filepath.Join(dir, "link")
	if err := os.WriteFile(to, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("to", link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := replaceFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(to)
	got, readErr := os.ReadFile(to)
	if err != nil || readErr != nil || string(got) != "new" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q with mode %v, %v %v", got, info.Mode(), err, readErr)
	}
	if at, err := os.Readlink(link); err != nil || at != "to" {
		t.Errorf("the link leads to %q, %v", at, err)
	}
}
