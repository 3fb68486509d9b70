package gitops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestHasNone: folders that may be repositories are left to git, and so are large worktrees.
func TestHasNone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		paths string // those with a slash behind are folders
		want  bool
	}{
		"files":         {"a/b/c HEAD sub/HEAD", true},
		"its own":       {".git/HEAD .git/objects/ a b", true},
		"a repository":  {".git/ a/b/.git/", false},
		"a worktree":    {".git a/.git", false},
		"another case":  {"a/.GIT/", false},
		"a bare one":    {"a/b.git/HEAD a/b.git/objects/", false},
		"half of a one": {"a/b.git/HEAD a/b.git/refs/", true},
	} {
		top := t.TempDir()
		for _, path := range strings.Fields(c.paths) {
			full := filepath.Join(top, filepath.FromSlash(path))
			folder := filepath.Dir(full)
			if strings.HasSuffix(path, "/") {
				folder = full
			}
			assert.NoError(t, os.MkdirAll(folder, 0o755))
			if folder != full {
				assert.NoError(t, os.WriteFile(full, nil, 0o644))
			}
		}
		assert.Equal(t, c.want, hasNone(top), "%s", name)
		left := 1
		assert.False(t, noneBelow(top, true, &left), "%s: more is listed than may be", name)
	}
	assert.False(t, hasNone(filepath.Join(t.TempDir(), "missing")), "a missing folder is known")
}
