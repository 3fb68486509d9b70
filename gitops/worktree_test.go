package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"chant/gitops/layout"

	"github.com/alecthomas/assert/v2"
)

func TestWorktree_life(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("branch", "chant/a")
	path := filepath.Join(s.top, ".chant", "worktrees", "a b é")
	assert.NoError(t, s.AddWorktree(ctx, path, "chant/a"))
	all := must[[]Worktree](t)(s.Worktrees(ctx))
	assert.Equal(t, 2, len(all))
	assert.True(t, all[0].Main, "%+v", all)
	assert.Equal(t, s.top, all[0].Path)
	assert.Equal(t, path, all[1].Path)
	assert.Equal(t, "chant/a", all[1].Branch)
	head := must[Head](t)(s.Head(ctx, path))
	assert.Equal(t, "chant/a", head.Branch)
	assert.Equal(t, s.git("rev-parse", "HEAD"), head.Hash)
	writeFile(t, filepath.Join(path, "work.txt"), "work\n")
	entries := must[[]StatusEntry](t)(s.Status(ctx, path))
	assert.Equal(t, 1, len(entries))
	assert.Equal(t, StatusEntry{Code: "??", Path: "work.txt"}, entries[0])
	hash := must[string](t)(s.CommitAll(ctx, path, "work"))
	assert.Equal(t, s.git("rev-parse", "chant/a"), hash)
	assert.Equal(t, "", must[string](t)(s.CommitAll(ctx, path, "work")), "a clean tree was committed")
	err := s.RemoveWorktree(ctx, path)
	assert.NoError(t, err)
	assert.True(t, gone(path), "%v", err)
	assert.NoError(t, s.RemoveWorktree(ctx, path), "a second time")
}

func TestAddWorktree_refused(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("branch", "side")
	full := t.TempDir()
	writeFile(t, filepath.Join(full, "mine"), "mine")
	for name, c := range map[string]struct {
		path, branch string
		want         error
	}{
		"checked out":    {filepath.Join(t.TempDir(), "w"), "trunk", ErrCheckedOut},
		"missing branch": {filepath.Join(t.TempDir(), "w"), "none", ErrNotFound},
		"not empty":      {full, "side", nil},
		"an option":      {filepath.Join(t.TempDir(), "w"), "--detach", nil},
	} {
		err := s.AddWorktree(ctx, c.path, c.branch)
		assert.Error(t, err, "%s", name)
		assert.False(t, c.want != nil && !errors.Is(err, c.want), "%s: %v", name, err)
	}
}

func TestRemoveWorktree_halves(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		damage func(s *sandbox, path string)
		ok     bool
	}{
		"folder gone":          {func(s *sandbox, path string) { _ = os.RemoveAll(path) }, true},
		"folder gone, locked":  {func(s *sandbox, path string) { s.git("worktree", "lock", path); _ = os.RemoveAll(path) }, true},
		"locked":               {func(s *sandbox, path string) { s.git("worktree", "lock", path) }, true},
		"emptied":              {func(s *sandbox, path string) { _ = os.RemoveAll(path); _ = os.Mkdir(path, 0o755) }, true},
		"registration gone":    {func(s *sandbox, path string) { _ = os.RemoveAll(filepath.Join(s.top, ".git", "worktrees")) }, false},
		"no .git, but content": {func(s *sandbox, path string) { _ = os.Remove(filepath.Join(path, ".git")) }, false},
	} {
		s := newSandbox(t)
		s.git("branch", "side")
		path := filepath.Join(layout.RealPath(t.TempDir()), "w")
		assert.NoError(t, s.AddWorktree(ctx, path, "side"))
		c.damage(s, path)
		err := s.RemoveWorktree(ctx, path)
		if c.ok != (err == nil) || c.ok != gone(path) {
			t.Errorf("%s: %v, gone %v", name, err, gone(path))
		}
		if c.ok {
			assert.NoError(t, s.AddWorktree(ctx, path, "side"), "%s, added again", name)
		}
	}
}

// A tree that has moved keeps the folder that git has named after its first place, and
// either of the two that lead to each other is enough to find it.
func TestAdminDir(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, damage := range map[string]func(tree, admin string) error{
		"whole":        func(string, string) error { return nil },
		"no .git":      func(tree, _ string) error { return os.Remove(filepath.Join(tree, ".git")) },
		"no gitdir":    func(_, admin string) error { return os.Remove(filepath.Join(admin, "gitdir")) },
		"no HEAD":      func(_, admin string) error { return os.Remove(filepath.Join(admin, "HEAD")) },
		"tree is gone": func(tree, _ string) error { return os.RemoveAll(tree) },
	} {
		s := newSandbox(t)
		s.git("branch", "side")
		root := layout.RealPath(t.TempDir())
		first, then := filepath.Join(root, "first"), filepath.Join(root, "then")
		assert.NoError(t, s.AddWorktree(ctx, first, "side"))
		s.git("worktree", "move", first, then)
		admin := filepath.Join(s.CommonDir(), "worktrees", "first")
		assert.NoError(t, damage(then, admin))
		assert.Equal(t, admin, s.AdminDir(then), "%s", name)
		got, want := s.AdminDir(filepath.Join(root, "planned")), filepath.Join(s.CommonDir(), "worktrees", "planned")
		assert.Equal(t, want, got, "%s, planned", name)
	}
}

func TestAddWorktree_overDeadRegistration(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("branch", "side")
	path := filepath.Join(t.TempDir(), "w")
	for range 2 {
		assert.NoError(t, s.AddWorktree(ctx, path, "side"))
		assert.NoError(t, os.RemoveAll(path))
	}
	assert.NoError(t, s.ForgetWorktree(path))
	all := must[[]Worktree](t)(s.Worktrees(ctx))
	assert.Equal(t, 1, len(all), "%+v", all)
}

// TestForgetWorktree removes one registration, and none of a worktree that is missing for now.
func TestForgetWorktree(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		damage func(s *sandbox, path, admin string) error
		want   bool // the registration is gone
	}{
		"folder gone":          {func(_ *sandbox, path, _ string) error { return os.RemoveAll(path) }, true},
		"folder there":         {func(*sandbox, string, string) error { return nil }, false},
		"no .git, but content": {func(_ *sandbox, path, _ string) error { return os.Remove(filepath.Join(path, ".git")) }, false},
		"it names the person's": {func(s *sandbox, path, admin string) error {
			person := filepath.Join(filepath.Dir(path), "drive", "w")
			return errors.Join(os.RemoveAll(path), os.WriteFile(filepath.Join(admin, "gitdir"), []byte(filepath.Join(person, ".git")+"\n"), 0o644))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, root := newSandbox(t), layout.RealPath(t.TempDir())
			person, path := filepath.Join(root, "drive", "w"), filepath.Join(root, "w")
			s.git("worktree", "add", "-q", "--detach", person)
			writeFile(t, filepath.Join(person, "staged.txt"), "mine\n")
			gitIn(t, person, "add", "staged.txt")
			assert.NoError(t, os.Rename(filepath.Dir(person), filepath.Join(root, "unmounted")))
			assert.NoError(t, s.AddDetached(ctx, path, "trunk"))
			admin := s.AdminDir(path)
			assert.NoError(t, c.damage(s, path, admin))
			assert.NoError(t, s.ForgetWorktree(path))
			assert.Equal(t, c.want, gone(admin))
			assert.NoError(t, os.Rename(filepath.Join(root, "unmounted"), filepath.Dir(person)))
			assert.Equal(t, "A  staged.txt", gitIn(t, person, "status", "--porcelain"))
		})
	}
}

// An emptied worktree below home must not make git act on home.
func TestPlace_emptiedWorktree(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("branch", "side")
	path := filepath.Join(s.top, "inside", "w")
	assert.NoError(t, s.AddWorktree(ctx, path, "side"))
	assert.NoError(t, os.Remove(filepath.Join(path, ".git")))
	before := s.git("rev-parse", "HEAD") + s.git("status", "--porcelain")
	_, statusErr := s.Status(ctx, path)
	_, allErr := s.CommitAll(ctx, path, "m")
	_, headErr := s.Head(ctx, path)
	_, _, filesErr := s.CommitFiles(ctx, CommitOptions{Dir: path, Files: []File{file("a", "a")}, Message: "m"})
	for i, err := range []error{statusErr, allErr, headErr, filesErr, s.FastForward(ctx, path, "trunk")} {
		assert.IsError(t, err, ErrNotRepository, "%d", i)
	}
	assert.Equal(t, before, s.git("rev-parse", "HEAD")+s.git("status", "--porcelain"))
}
