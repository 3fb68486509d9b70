package setup

import (
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
)

// initialized creates a repository, runs Init there and opens the project at a fixed time.
func initialized(t *testing.T) (*engine.Project, string) {
	t.Helper()
	dir := t.TempDir()
	enginetest.Repository(t, dir)
	if _, err := Init(t.Context(), dir, enginetest.Options(), InitInput{Provider: "shell"}); err != nil {
		t.Fatal(err)
	}
	p, err := engine.Open(dir, enginetest.Options())
	if err != nil {
		t.Fatal(err)
	}
	return p, dir
}
