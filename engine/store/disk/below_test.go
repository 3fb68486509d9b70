package disk_test

import (
	"os"
	"path/filepath"
	"testing"

	"chant/engine/store/disk"

	"github.com/alecthomas/assert/v2"
)

func TestBelow(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	assert.NoError(t, os.MkdirAll(filepath.Join(root, "a", "b"), 0o755))
	assert.NoError(t, os.WriteFile(filepath.Join(root, "a", "b", "file"), []byte("text"), 0o644))
	if err := os.Symlink(filepath.Join("b", "file"), filepath.Join(root, "a", "link")); err != nil {
		t.Skip("no links: ", err)
	}
	below, err := disk.OpenBelow(root)
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, below.Close()) })
	for _, path := range []string{"a", "a/b", "a/b/file"} {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
		assert.NoError(t, err)
		if got := below.Stamp(path); !got.Known() || got != disk.FromInfo(info) {
			t.Errorf("%s: %v, want %v", path, got, disk.FromInfo(info))
		}
	}
	for _, path := range []string{"a/link", "a/none", "none/file", "a/b/file/more", "a\x00b"} {
		assert.Equal(t, disk.Stamp{}, below.Stamp(path), "%s", path)
	}
	_, err = disk.OpenBelow(filepath.Join(root, "none"))
	assert.Error(t, err, "a folder that does not exist was opened")
}
