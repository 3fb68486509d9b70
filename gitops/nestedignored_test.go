package gitops

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestIgnoredRepositories(t *testing.T) {
	t.Parallel()
	other := newSandbox(t)
	other.commit("f.txt", "f")
	for name, c := range map[string]struct {
		prepare func(s *sandbox)
		want    string
	}{
		"none":        {func(s *sandbox) { s.write("ign/file", "x") }, ""},
		"not ignored": {func(s *sandbox) { s.git("init", "-q", "a") }, ""},
		"with files":  {func(s *sandbox) { s.git("init", "-q", "ign/a"); s.write("ign/a/f", "f") }, "ign/a"},
		"with a commit": {func(s *sandbox) {
			s.git("init", "-q", "ign/a")
			s.git("-C", "ign/a", "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "x")
		}, "ign/a"},
		"the folder itself": {func(s *sandbox) {
			s.git("init", "-q", "ign")
			s.git("-C", "ign", "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "x")
		}, "ign"},
		"a clone":            {func(s *sandbox) { s.git("clone", "-q", other.top, "ign/c") }, ""},
		"a clone with edits": {func(s *sandbox) { s.git("clone", "-q", other.top, "ign/c"); s.write("ign/c/f.txt", "edited") }, "ign/c"},
		"a clone with commits": {func(s *sandbox) {
			s.git("clone", "-q", other.top, "ign/deep/c")
			s.git("-C", "ign/deep/c", "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "x")
		}, "ign/deep/c"},
		"a stash": {func(s *sandbox) {
			s.git("clone", "-q", other.top, "ign/c")
			s.write("ign/c/f.txt", "edited")
			s.git("-C", "ign/c", "-c", "user.name=A", "-c", "user.email=a@example.com", "stash", "-q")
		}, "ign/c"},
		"bare": {func(s *sandbox) {
			s.git("init", "-q", "--bare", "ign/b.git")
			s.git("push", "-q", "ign/b.git", "HEAD:refs/heads/x")
		}, "ign/b.git"},
		"broken": {func(s *sandbox) { s.write("ign/x/.git", "gitdir: nowhere\n") }, "ign/x"},
		"several": {func(s *sandbox) {
			s.git("init", "-q", "ign/z")
			s.write("ign/z/f", "f")
			s.git("init", "-q", "ign/a")
			s.write("ign/a/f", "f")
		}, "ign/a ign/z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.commit("g.txt", "g")
			s.write(".git/info/exclude", "ign/\n")
			c.prepare(s)
			assert.Equal(t, c.want, strings.Join(must[[]string](t)(s.IgnoredRepositories(t.Context(), s.top)), " "))
		})
	}
}
