package gitops

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		assert.True(t, ok, "%s: %v", name, err)
		assert.Equal(t, "a large file", large.Path, "%s: %v", name, err)
		assert.Equal(t, 1<<40, large.Size, "%s: %v", name, err)
	}
	assert.Equal(t, "", s.git("diff", "--cached", "--name-only"))
	s.write(".gitignore", "a large file\n")
	_, err := s.CommitAll(t.Context(), s.top, "m")
	assert.NoError(t, err)
}

// TestTooLarge_tracked: git cannot see from its index that a tracked file has changed to one of a multiple of 4 GiB, and
// would read all of it.
func TestTooLarge_tracked(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("update-index", "--cacheinfo", "100644,"+s.git("rev-parse", "HEAD:base.txt")+",base.txt") // without size and times
	if err := os.Truncate(filepath.Join(s.top, "base.txt"), 1<<40); err != nil {
		t.Skipf("no file of a TiB can be made here: %v", err)
	}
	for name, look := range map[string]func() error{
		"status":   func() error { _, err := s.Status(t.Context(), s.top); return err },
		"commit":   func() error { _, err := s.CommitAll(t.Context(), s.top, "m"); return err },
		"snapshot": func() error { _, err := s.Snapshot(t.Context(), s.top, "m"); return err },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			large, ok := errors.AsType[*TooLargeError](look())
			assert.True(t, ok)
			assert.Equal(t, "base.txt", large.Path)
			assert.Equal(t, s.top, large.Top)
		})
	}
}
