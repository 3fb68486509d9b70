package rootdir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestGrantRead makes readable what an agent has left without rights, and leaves git's own folder alone.
func TestGrantRead(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root reads without rights")
	}
	dir := t.TempDir()
	for _, name := range []string{"q/r/1", ".git/x"} {
		assert.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		assert.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o000))
	}
	assert.NoError(t, os.Chmod(filepath.Join(dir, "q/r"), 0o000))
	assert.NoError(t, os.Chmod(filepath.Join(dir, "q"), 0o000))
	assert.NoError(t, GrantRead(dir))
	_, err := os.ReadFile(filepath.Join(dir, "q/r/1"))
	assert.NoError(t, err)
	_, err = os.ReadFile(filepath.Join(dir, ".git/x"))
	assert.Error(t, err)
}
