//go:build unix

package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWritable asks about files and folders that exist or could be created.
func TestWritable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o555); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		dir: true, filepath.Join(dir, "new"): true, filepath.Join(dir, "a", "b", "new"): true,
		filepath.Join(locked, "new"): os.Getuid() == 0, filepath.Join(locked, "a", "new"): os.Getuid() == 0,
	} {
		if got := writable(path); got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
}
