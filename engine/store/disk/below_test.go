package disk_test

import (
	"os"
	"path/filepath"
	"testing"

	"chant/engine/store/disk"
)

func TestBelow(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a", "b", "file"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("b", "file"), filepath.Join(root, "a", "link")); err != nil {
		t.Skip("no links: ", err)
	}
	below, err := disk.OpenBelow(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := below.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, path := range []string{"a", "a/b", "a/b/file"} {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		if got := below.Stamp(path); !got.Known() || got != disk.FromInfo(info) {
			t.Errorf("%s: %v, want %v", path, got, disk.FromInfo(info))
		}
	}
	for _, path := range []string{"a/link", "a/none", "none/file", "a/b/file/more", "a\x00b"} {
		if got := below.Stamp(path); got != (disk.Stamp{}) {
			t.Errorf("%s: %v, want none", path, got)
		}
	}
	if _, err := disk.OpenBelow(filepath.Join(root, "none")); err == nil {
		t.Error("a folder that does not exist was opened")
	}
}
