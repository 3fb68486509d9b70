package gitops

import (
	"fmt"
	"strings"
	"testing"

	"chant/gitops/layout"

	"github.com/alecthomas/assert/v2"
)

// staged is "path=content" of what Staged finds below a folder.
func (s *sandbox) staged(dir, index, folder string) string {
	s.t.Helper()
	files, err := s.Staged(s.t.Context(), dir, index, folder)
	if err != nil {
		s.t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		out = append(out, fmt.Sprintf("%s=%q", f.Path, f.Content))
	}
	return strings.Join(out, " ")
}

func TestStaged(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	assert.Equal(t, "", s.staged(s.top, "", "sub"), "nothing is staged")
	s.write("sub/deep/file.txt", "staged\n")
	s.write("sub/new ü *.txt", "new\n")
	s.write("base.txt", "elsewhere\n")
	s.git("add", "-A")
	s.write("sub/deep/file.txt", "on disk\n")
	s.write("sub/untracked.txt", "x\n")
	got, want := s.staged(s.top, "", "sub"), `sub/deep/file.txt="staged\n" sub/new ü *.txt="new\n"`
	assert.Equal(t, want, got)
	assert.Equal(t, "", s.staged(s.top, "", "su*"), "a folder is no pattern")
	s.git("commit", "-qm", "more")
	s.git("rm", "-q", "--cached", "sub/new ü *.txt")
	assert.Equal(t, "", s.staged(s.top, "", "sub"), "a removal has no content")
}

func TestStaged_placesWithoutHistory(t *testing.T) {
	t.Parallel()
	unborn := &sandbox{t: t, top: layout.RealPath(t.TempDir())}
	unborn.git("init", "-q", "-b", "trunk")
	unborn.write("a.txt", "a\n")
	unborn.git("add", "-A")
	unborn.open()
	got, want := unborn.staged(unborn.top, "", "a.txt"), `a.txt="a\n"`
	assert.Equal(t, want, got, "before the first commit")
	_, err := unborn.Staged(t.Context(), t.TempDir(), "", ".")
	assert.IsError(t, err, ErrNotRepository)
}
