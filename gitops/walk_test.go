package gitops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if folder != full {
				if err := os.WriteFile(full, nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := hasNone(top); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
		left := 1
		if noneBelow(top, true, &left) {
			t.Errorf("%s: more is listed than may be", name)
		}
	}
	if hasNone(filepath.Join(t.TempDir(), "missing")) {
		t.Error("a missing folder is known")
	}
}
