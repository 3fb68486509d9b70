package gitops

import (
	"context"
	"path/filepath"
	"testing"

	"chant/gitops/layout"

	"github.com/alecthomas/assert/v2"
)

func TestUnmerged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare  func(s *sandbox, theirs string)
		paths    []string
		underway string
	}{
		"nothing":        {func(*sandbox, string) {}, nil, ""},
		"merge":          {func(s *sandbox, theirs string) { s.fails("merge", theirs) }, []string{"base.txt", "é new.txt"}, "merge"},
		"merge, settled": {func(s *sandbox, theirs string) { s.fails("merge", theirs); s.git("add", "-A") }, nil, "merge"},
		"cherry-pick":    {func(s *sandbox, theirs string) { s.fails("cherry-pick", theirs) }, []string{"base.txt", "é new.txt"}, "cherry-pick"},
		"cherry-pick between two": {func(s *sandbox, theirs string) {
			s.fails("cherry-pick", theirs, theirs+"~1")
			s.git("add", "-A")
			s.git("commit", "-qm", "settled")
		}, nil, "cherry-pick"},
		"revert":       {func(s *sandbox, theirs string) { s.fails("revert", "--no-edit", "trunk~2") }, []string{"base.txt"}, "revert"},
		"rebase":       {func(s *sandbox, theirs string) { s.fails("rebase", "-q", theirs) }, []string{"base.txt"}, "rebase"},
		"rebase apply": {func(s *sandbox, theirs string) { s.fails("rebase", "-q", "--apply", theirs) }, []string{"base.txt"}, "rebase"},
		"stash": {func(s *sandbox, theirs string) {
			s.write("base.txt", "stashed\n")
			s.git("stash", "-q")
			s.write("base.txt", "over\n")
			s.git("commit", "-qam", "over")
			s.fails("stash", "pop")
		}, []string{"base.txt"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, s := context.Background(), newSandbox(t)
			one := must[string](t)(s.CommitOn(ctx, "trunk", []File{file("one.txt", "1\n")}, "one"))
			theirs := must[string](t)(s.CommitOn(ctx, one, []File{file("base.txt", "theirs\n"), file("é new.txt", "theirs\n")}, "theirs"))
			s.commit("base.txt", "first\n")
			s.commit("base.txt", "ours\n")
			s.commit("é new.txt", "ours\n")
			c.prepare(s, theirs)
			paths, underway, err := s.Unmerged(ctx, s.top)
			assert.NoError(t, err)
			assert.Equal(t, c.underway, underway)
			assert.Equal(t, c.paths, paths)
			linked := filepath.Join(t.TempDir(), "linked")
			s.git("worktree", "add", "-q", "--detach", linked)
			paths, underway, err = s.Unmerged(ctx, linked)
			assert.NoError(t, err, "another worktree: %q", paths)
			assert.Equal(t, "", underway, "another worktree: %q", paths)
			assert.Zero(t, paths, "another worktree: %q", paths)
		})
	}
	_, _, err := newSandbox(t).Unmerged(context.Background(), t.TempDir())
	assert.IsError(t, err, ErrNotRepository)
}

func TestRebasing(t *testing.T) {
	t.Parallel()
	for name, backend := range map[string]string{"merge": "--merge", "apply": "--apply"} {
		s := newSandbox(t)
		linked := filepath.Join(layout.RealPath(t.TempDir()), "linked")
		theirs := must[string](t)(s.CommitOn(context.Background(), "trunk", []File{file("base.txt", "theirs\n")}, "theirs"))
		s.commit("base.txt", "ours\n")
		s.git("worktree", "add", "-q", "-b", "chant/side", linked)
		at := func(branch string) string {
			path, found, err := s.Rebasing(branch)
			if err != nil || found != (path != "") {
				t.Errorf("%s: %q, %v, %v", name, path, found, err)
			}
			return path
		}
		assert.Equal(t, "", at("trunk")+at("chant/side"), "%s", name)
		s.fails("rebase", "-q", backend, theirs)
		in := &sandbox{t: t, top: linked}
		in.fails("rebase", "-q", backend, theirs)
		assert.Equal(t, s.top, at("trunk"), "%v", name)
		assert.Equal(t, linked, at("chant/side"), "%v", name)
		assert.Equal(t, "", at("side")+at("chant"), "%v", name)
		in.git("rebase", "--abort")
		if at("chant/side") != "" || at("trunk") != s.top {
			t.Errorf("%s: %q after", name, at("chant/side"))
		}
		s.git("rebase", "--abort")
		s.git("checkout", "-q", "--detach")
		s.fails("rebase", "-q", backend, theirs)
		assert.Equal(t, "", at("trunk"), "%s: a detached rebase is one", name)
	}
	_, _, err := newSandbox(t).Rebasing("-x")
	assert.Error(t, err, "no error")
}
