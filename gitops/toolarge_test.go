package gitops

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestTooLarge: a file that git could not store in time is refused at once, and nothing is staged; ignored ones do not count.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	file := filepath.Join(s.top, "a large file")
	s.write("a large file", "")
	if err := os.Truncate(file, 1<<40); err != nil {
		t.Skipf("no file of a TiB can be made here: %v", err)
	}
	for name, commit := range map[string]func() (string, error){
		"commit":   func() (string, error) { return s.CommitAll(t.Context(), s.top, "m") },
		"snapshot": func() (string, error) { return s.Snapshot(t.Context(), s.top, "m") },
	} {
		_, err := commit()
		large, ok := errors.AsType[*TooLargeError](err)
		if !ok || large.Path != "a large file" || large.Size != 1<<40 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if out := s.git("diff", "--cached", "--name-only"); out != "" {
		t.Errorf("staged: %s", out)
	}
	s.write(".gitignore", "a large file\n")
	if _, err := s.CommitAll(t.Context(), s.top, "m"); err != nil {
		t.Error(err)
	}
}
