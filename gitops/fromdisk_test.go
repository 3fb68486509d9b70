package gitops

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCommitFiles_fromDisk: whatever the file at the path of a commit is, the index has the entry of the commit
// afterwards, and nothing else has changed.
func TestCommitFiles_fromDisk(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(s *sandbox)
		disk    string
		want    string // of "git status" about the path
	}{
		"as committed":      {func(*sandbox) {}, "new\n", ""},
		"edited":            {func(*sandbox) {}, "newer\n", " M base.txt"},
		"edited, one size":  {func(*sandbox) {}, "wen\n", " M base.txt"},
		"version 4":         {func(s *sandbox) { s.git("update-index", "--index-version", "4") }, "new\n", ""},
		"split":             {func(s *sandbox) { s.git("update-index", "--split-index") }, "new\n", ""},
		"assumed unchanged": {func(s *sandbox) { s.git("update-index", "--assume-unchanged", "base.txt") }, "new\n", ""},
		"left out":          {func(s *sandbox) { s.git("update-index", "--skip-worktree", "base.txt") }, "new\n", ""},
		"removed":           {func(s *sandbox) { s.git("rm", "-q", "--cached", "base.txt") }, "new\n", ""},
		"only planned": {func(s *sandbox) {
			s.git("rm", "-q", "--cached", "base.txt")
			s.git("add", "-N", "base.txt")
		}, "new\n", ""},
		"converted":     {func(s *sandbox) { s.git("config", "core.autocrlf", "true") }, "new\r\n", ""},
		"not converted": {func(s *sandbox) { s.git("config", "core.autocrlf", "true"); s.git("config", "core.safecrlf", "true") }, "new\n", ""},
		"filtered": {func(s *sandbox) {
			s.write(".git/info/attributes", "base.txt filter=up\n")
			s.git("config", "filter.up.clean", "tr a-z A-Z")
		}, "new\n", ""},
		"executable": {func(s *sandbox) {
			if err := os.Chmod(filepath.Join(s.top, "base.txt"), 0o755); err != nil {
				s.t.Fatal(err)
			}
		}, "new\n", " M base.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write("other.txt", "staged\n")
			s.git("add", "other.txt")
			c.prepare(s)
			s.write("base.txt", c.disk)
			others := s.git("ls-files", "-s", "other.txt", "sub")
			hash, changed, err := s.CommitFiles(context.Background(), CommitOptions{Files: []File{file("base.txt", "new\n")}, Message: "m"})
			assert.NoError(t, err, "%v", hash)
			assert.True(t, changed, "%v %v %v", hash, changed, err)
			assert.Equal(t, "other.txt", s.git("diff", "--cached", "--name-only"))
			assert.Equal(t, others, s.git("ls-files", "-s", "other.txt", "sub"))
			assert.Equal(t, c.want, s.git("status", "--porcelain", "base.txt"))
			text, err := os.ReadFile(filepath.Join(s.top, "base.txt"))
			assert.NoError(t, err)
			assert.Equal(t, c.disk, string(text))
		})
	}
}
