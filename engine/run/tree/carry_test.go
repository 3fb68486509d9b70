package tree

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestCarrier_stopsBetweenFiles(t *testing.T) {
	t.Parallel()
	home, tree := t.TempDir(), t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := root.Close(); err != nil {
			t.Error(err)
		}
	})
	c := &carrier{home: home, tree: root}
	if err := c.copyAll(t.Context(), []string{"a"}); err != nil || c.files != 1 {
		t.Fatalf("%d files, %v", c.files, err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.copyAll(stopped, []string{"b"}); !errors.Is(err, context.Canceled) || c.files != 1 {
		t.Errorf("%d files, %v", c.files, err)
	}
}
