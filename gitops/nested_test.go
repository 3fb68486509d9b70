package gitops

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestNestedRepositories(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	other := newSandbox(t)
	add := func(s *sandbox, path string) {
		s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.top, path)
	}
	for name, c := range map[string]struct {
		prepare func(s *sandbox)
		want    string
	}{
		"none":            {func(s *sandbox) { s.write("new/file.txt", "x") }, ""},
		"without commit":  {func(s *sandbox) { s.git("init", "-q", "a/new é") }, "a/new é"},
		"with commit":     {func(s *sandbox) { s.git("clone", "-q", other.top, "b") }, "b"},
		"beside files":    {func(s *sandbox) { s.git("init", "-q", "sub/x"); s.write("sub/x/f", "f"); s.write("sub/y", "y") }, "sub/x"},
		"linked worktree": {func(s *sandbox) { s.git("worktree", "add", "-q", "--detach", "w") }, "w"},
		"ignored": {func(s *sandbox) {
			s.write(".git/info/exclude", "ign/\n")
			s.git("init", "-q", "ign/a")
		}, ""},
		"added": {func(s *sandbox) { s.git("clone", "-q", other.top, "b"); s.git("add", "b") }, "b"},
		"committed, gone from disk": {func(s *sandbox) {
			s.git("update-index", "--add", "--cacheinfo", "160000,"+other.git("rev-parse", "HEAD")+",c/d")
			s.git("commit", "-qm", "link")
		}, "c/d"},
		"submodule":             {func(s *sandbox) { add(s, "mod") }, ""},
		"submodule and another": {func(s *sandbox) { add(s, "mod"); s.git("clone", "-q", other.top, "b"); s.git("add", "b") }, "b"},
		"moved submodule":       {func(s *sandbox) { add(s, "mod"); s.git("config", "--file=.gitmodules", "submodule.mod.path", "x") }, "mod"},
		"only the index has it": {func(s *sandbox) { add(s, "mod"); s.remove(".gitmodules") }, ""},
		"several, sorted": {func(s *sandbox) {
			s.git("init", "-q", "z")
			s.git("init", "-q", "a")
			s.git("clone", "-q", other.top, "m")
		}, "a m z"},
		"status shows no others": {func(s *sandbox) { s.git("config", "status.showUntrackedFiles", "no"); s.git("init", "-q", "a") }, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			c.prepare(s)
			assert.Equal(t, c.want, strings.Join(must[[]string](t)(s.NestedRepositories(ctx, s.top)), " "))
		})
	}
	_, err := other.NestedRepositories(ctx, t.TempDir())
	assert.IsError(t, err, ErrNotRepository)
}

func TestDiff_gitlink(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("config", "diff.ignoreSubmodules", "all")
	tip := s.git("rev-parse", "HEAD")
	s.git("rm", "-q", "--cached", "base.txt")
	s.git("update-index", "--add", "--cacheinfo", "160000,"+tip+",nested é", "--cacheinfo", "160000,"+tip+",base.txt")
	s.git("commit", "-qm", "links")
	changes := must[[]Change](t)(s.Diff(ctx, tip, "HEAD"))
	assert.Equal(t, 2, len(changes))
	assert.Equal(t, Change{Status: 'T', Path: "base.txt", Gitlink: true}, changes[0])
	assert.Equal(t, Change{Status: 'A', Path: "nested é", Gitlink: true}, changes[1])
	for _, c := range must[[]Change](t)(s.Diff(ctx, "HEAD", tip)) {
		assert.False(t, c.Gitlink, "gone, yet a link: %+v", c)
	}
}

func TestBreakLock(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	linked := filepath.Join(t.TempDir(), "linked")
	s.git("worktree", "add", "-q", "--detach", linked)
	for _, name := range []string{"", "index.lock", "HEAD.lock"} {
		lock := filepath.Join(s.top, ".git", "worktrees", "linked", name)
		if name != "" {
			writeFile(t, lock, "")
		}
		had, err := s.BreakLock(linked)
		assert.NoError(t, err)
		assert.Equal(t, name != "", had, name)
		assert.Equal(t, name != "", gone(lock), "of %q", name)
	}
	had, err := s.BreakLock(linked)
	assert.NoError(t, err)
	assert.False(t, had, "it was removed before")
	lock := filepath.Join(s.top, ".git", "index.lock")
	writeFile(t, lock, "")
	for _, r := range []*Repo{s.Repo, opened(t, linked)} {
		had, err := r.BreakLock(s.top)
		assert.False(t, had, "%v, %v", had, err)
		assert.Error(t, err)
		assert.Contains(t, err.Error(), "main worktree")
		assert.False(t, gone(lock), "%v, %v", had, err)
	}
	_, err = s.BreakLock(t.TempDir())
	assert.IsError(t, err, ErrNotRepository)
}
