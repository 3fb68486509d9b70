package setup

import (
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// initialized creates a repository, runs Init there and opens the project at a fixed time.
func initialized(t *testing.T) (*engine.Project, string) {
	t.Helper()
	dir := t.TempDir()
	enginetest.Repository(t, dir)
	_, err := Init(t.Context(), dir, enginetest.Options(), InitInput{Provider: "shell"})
	assert.NoError(t, err)
	p, err := engine.Open(dir, enginetest.Options())
	assert.NoError(t, err)
	return p, dir
}
