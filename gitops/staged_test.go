package gitops

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"chant/gitops/layout"
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
	if got := s.staged(s.top, "", "sub"); got != "" {
		t.Errorf("nothing is staged, got %s", got)
	}
	s.write("sub/deep/file.txt", "staged\n")
	s.write("sub/new ü *.txt", "new\n")
	s.write("base.txt", "elsewhere\n")
	s.git("add", "-A")
	s.write("sub/deep/file.txt", "on disk\n")
	s.write("sub/untracked.txt", "x\n")
	if got, want := s.staged(s.top, "", "sub"), `sub/deep/file.txt="staged\n" sub/new ü *.txt="new\n"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := s.staged(s.top, "", "su*"); got != "" {
		t.Errorf("a folder is no pattern, got %s", got)
	}
	s.git("commit", "-qm", "more")
	s.git("rm", "-q", "--cached", "sub/new ü *.txt")
	if got := s.staged(s.top, "", "sub"); got != "" {
		t.Errorf("a removal has no content, got %s", got)
	}
}

func TestStaged_placesWithoutHistory(t *testing.T) {
	t.Parallel()
	unborn := &sandbox{t: t, top: layout.RealPath(t.TempDir())}
	unborn.git("init", "-q", "-b", "trunk")
	unborn.write("a.txt", "a\n")
	unborn.git("add", "-A")
	unborn.open()
	if got, want := unborn.staged(unborn.top, "", "a.txt"), `a.txt="a\n"`; got != want {
		t.Errorf("before the first commit: %s, want %s", got, want)
	}
	if _, err := unborn.Staged(t.Context(), t.TempDir(), "", "."); !errors.Is(err, ErrNotRepository) {
		t.Errorf("outside: %v", err)
	}
}
