package gitops

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestIgnoredSince leaves out what was there before, what git does not ignore, and folders.
func TestIgnoredSince(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.write(".gitignore", "*.log\ndist/\n")
	began := time.Now().Add(-time.Minute)
	for _, path := range []string{"old.log", "new.log", "dist/deep/app.js", "kept.txt"} {
		s.write(path, "x")
	}
	assert.NoError(t, os.Chtimes(filepath.Join(s.top, "old.log"), began.Add(-time.Second), began.Add(-time.Second)))
	assert.Equal(t, "dist/deep/app.js new.log", strings.Join(must[[]string](t)(s.IgnoredSince(ctx, s.top, began)), " "))
}
