package tree

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestCarrier_stopsBetweenFiles(t *testing.T) {
	t.Parallel()
	home, tree := t.TempDir(), t.TempDir()
	for _, name := range []string{"a", "b"} {
		assert.NoError(t, os.WriteFile(filepath.Join(home, name), []byte(name), 0o644))
	}
	root, err := os.OpenRoot(tree)
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, root.Close()) })
	c := &carrier{home: home, tree: root}
	assert.NoError(t, c.copyAll(t.Context(), []string{"a"}))
	assert.Equal(t, 1, c.files)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	assert.IsError(t, c.copyAll(stopped, []string{"b"}), context.Canceled)
	assert.Equal(t, 1, c.files)
}
