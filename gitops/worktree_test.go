package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"chant/gitops/layout"
)

func TestWorktree_life(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("branch", "chant/a")
	path := filepath.Join(s.top, ".chant", "worktrees", "a b é")
	if err := s.AddWorktree(ctx, path, "chant/a"); err != nil {
		t.Fatal(err)
	}
	all := must[[]Worktree](t)(s.Worktrees(ctx))
	if len(all) != 2 || !all[0].Main || all[0].Path != s.top || all[1].Path != path || all[1].Branch != "chant/a" {
		t.Fatalf("%+v", all)
	}
	if head := must[Head](t)(s.Head(ctx, path)); head.Branch != "chant/a" || head.Hash != s.git("rev-parse", "HEAD") {
		t.Errorf("%+v", head)
	}
	writeFile(t, filepath.Join(path, "work.txt"), "work\n")
	if entries := must[[]StatusEntry](t)(s.Status(ctx, path)); len(entries) != 1 || entries[0] != (StatusEntry{Code: "??", Path: "work.txt"}) {
		t.Errorf("%+v", entries)
	}
	if hash := must[string](t)(s.CommitAll(ctx, path, "work")); hash != s.git("rev-parse", "chant/a") {
		t.Error(hash)
	}
	if hash := must[string](t)(s.CommitAll(ctx, path, "work")); hash != "" {
		t.Error("a clean tree was committed")
	}
	if err := s.RemoveWorktree(ctx, path); err != nil || !gone(path) {
		t.Error(err)
	}
	if err := s.RemoveWorktree(ctx, path); err != nil {
		t.Errorf("a second time: %v", err)
	}
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
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
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
		if err := s.AddWorktree(ctx, path, "side"); err != nil {
			t.Fatal(err)
		}
		c.damage(s, path)
		err := s.RemoveWorktree(ctx, path)
		if c.ok != (err == nil) || c.ok != gone(path) {
			t.Errorf("%s: %v, gone %v", name, err, gone(path))
		}
		if c.ok {
			if err := s.AddWorktree(ctx, path, "side"); err != nil {
				t.Errorf("%s, added again: %v", name, err)
			}
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
		if err := s.AddWorktree(ctx, first, "side"); err != nil {
			t.Fatal(err)
		}
		s.git("worktree", "move", first, then)
		admin := filepath.Join(s.CommonDir(), "worktrees", "first")
		if err := damage(then, admin); err != nil {
			t.Fatal(err)
		}
		if got := s.AdminDir(then); got != admin {
			t.Errorf("%s: %q, want %q", name, got, admin)
		}
		if got, want := s.AdminDir(filepath.Join(root, "planned")), filepath.Join(s.CommonDir(), "worktrees", "planned"); got != want {
			t.Errorf("%s, planned: %q, want %q", name, got, want)
		}
	}
}

func TestAddWorktree_overDeadRegistration(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("branch", "side")
	path := filepath.Join(t.TempDir(), "w")
	for range 2 {
		if err := s.AddWorktree(ctx, path, "side"); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PruneWorktrees(ctx); err != nil {
		t.Fatal(err)
	}
	if all := must[[]Worktree](t)(s.Worktrees(ctx)); len(all) != 1 {
		t.Fatalf("%+v", all)
	}
}

// An emptied worktree below home must not make git act on home.
func TestPlace_emptiedWorktree(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("branch", "side")
	path := filepath.Join(s.top, "inside", "w")
	if err := s.AddWorktree(ctx, path, "side"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(path, ".git")); err != nil {
		t.Fatal(err)
	}
	before := s.git("rev-parse", "HEAD") + s.git("status", "--porcelain")
	_, statusErr := s.Status(ctx, path)
	_, allErr := s.CommitAll(ctx, path, "m")
	_, headErr := s.Head(ctx, path)
	_, _, filesErr := s.CommitFiles(ctx, CommitOptions{Dir: path, Files: []File{file("a", "a")}, Message: "m"})
	for i, err := range []error{statusErr, allErr, headErr, filesErr, s.FastForward(ctx, path, "trunk")} {
		if !errors.Is(err, ErrNotRepository) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if after := s.git("rev-parse", "HEAD") + s.git("status", "--porcelain"); after != before {
		t.Errorf("home changed: %q, %q", before, after)
	}
}
