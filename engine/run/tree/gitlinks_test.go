package tree

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMakePlain: a second name of a file, as of a backup, keeps the content of both; a link is removed, and its target not.
func TestMakePlain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backup, index, link := filepath.Join(dir, "backup"), filepath.Join(dir, "index"), filepath.Join(dir, "link")
	if err := os.WriteFile(backup, []byte("content"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(backup, index); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(backup, link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{index, link} {
		info, err := os.Lstat(path)
		if err != nil || !leads(info) {
			t.Fatalf("%s: %v", path, err)
		}
		if err := makePlain(path, info); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{backup, index} {
		info, err := os.Lstat(path)
		text, readErr := os.ReadFile(path)
		if err != nil || readErr != nil || string(text) != "content" || leads(info) || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %q, %v, %v", path, text, info, err)
		}
	}
	if _, err := os.Lstat(link); !os.IsNotExist(err) {
		t.Errorf("the link exists: %v", err)
	}
}
