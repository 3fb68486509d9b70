//go:build unix

package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestWritable asks about files and folders that exist or could be created.
func TestWritable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	locked := filepath.Join(dir, "locked")
	assert.NoError(t, os.Mkdir(locked, 0o555))
	for path, want := range map[string]bool{
		dir: true, filepath.Join(dir, "new"): true, filepath.Join(dir, "a", "b", "new"): true,
		filepath.Join(locked, "new"): os.Getuid() == 0, filepath.Join(locked, "a", "new"): os.Getuid() == 0,
	} {
		assert.Equal(t, want, writable(path), "%s", path)
	}
}
