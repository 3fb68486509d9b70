package gitops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSwitchTree gives a used worktree another commit: git shows nothing afterwards and
// every tracked file is that of the commit, whatever was done to them before.
func TestSwitchTree(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(s *sandbox, tree string){
		"as it was": func(*sandbox, string) {},
		"changed, staged, removed": func(s *sandbox, tree string) {
			writeFile(s.t, filepath.Join(tree, "same.txt"), "changed")
			writeFile(s.t, filepath.Join(tree, "old.txt"), "changed")
			remove(s, tree, "sub/other.txt")
			gitIn(s.t, tree, "add", "-A")
			writeFile(s.t, filepath.Join(tree, "same.txt"), "again")
		},
		"untracked": func(s *sandbox, tree string) {
			writeFile(s.t, filepath.Join(tree, "junk/deep/x"), "x")
			writeFile(s.t, filepath.Join(tree, "new.txt"), "in the way of the next commit")
		},
		"folder for file": func(s *sandbox, tree string) {
			remove(s, tree, "same.txt")
			writeFile(s.t, filepath.Join(tree, "same.txt/x"), "x")
		},
		"repository inside": func(s *sandbox, tree string) {
			writeFile(s.t, filepath.Join(tree, "inner/x"), "x")
			gitIn(s.t, filepath.Join(tree, "inner"), "init", "-q")
		},
		"ignored no longer": func(s *sandbox, tree string) { writeFile(s.t, filepath.Join(tree, "late.tmp"), "x") },
		"same size and time": func(s *sandbox, tree string) {
			file := filepath.Join(tree, "same.txt")
			info := must[os.FileInfo](s.t)(os.Stat(file))
			writeFile(s.t, filepath.Join(tree, "same.txt"), "SAME\n")
			if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
				s.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, s := context.Background(), newSandbox(t)
			s.write(".gitignore", "deps/\n*.tmp\n")
			for _, path := range []string{"same.txt", "old.txt", "sub/other.txt"} {
				s.write(path, "same\n")
			}
			s.git("add", "-A")
			s.git("commit", "-qm", "one")
			tree := filepath.Join(t.TempDir(), "tree")
			s.git("worktree", "add", "-q", "--detach", tree)
			s.git("rm", "-q", "old.txt")
			s.write(".gitignore", "deps/\n")
			s.write("new.txt", "new\n")
			s.git("add", "-A")
			s.git("commit", "-qm", "two")
			writeFile(s.t, filepath.Join(tree, "deps/kept.js"), "dependency")
			spoil(s, tree)
			if err := s.SwitchTree(ctx, tree, "trunk"); err != nil {
				t.Fatal(err)
			}
			if got := gitIn(s.t, tree, "status", "--porcelain", "--untracked-files=all"); got != "" {
				t.Errorf("status %q", got)
			}
			if got, want := gitIn(s.t, tree, "rev-parse", "HEAD"), s.git("rev-parse", "trunk"); got != want {
				t.Errorf("HEAD %s, want %s", got, want)
			}
			for path, want := range map[string]string{"same.txt": "same\n", "new.txt": "new\n", "sub/other.txt": "same\n", "deps/kept.js": "dependency", "old.txt": "", "late.tmp": "", "junk": "", "inner": ""} {
				got, err := os.ReadFile(filepath.Join(tree, path))
				if string(got) != want || want == "" && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: %q, %v; want %q", path, got, err, want)
				}
			}
		})
	}
}

func remove(s *sandbox, tree, name string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(tree, name)); err != nil {
		s.t.Fatal(err)
	}
}

func TestMoveWorktree(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a b"), filepath.Join(dir, "ü")
	s.git("worktree", "add", "-q", "-b", "side", from)
	s.git("worktree", "lock", from)
	if err := os.Mkdir(to, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := s.MoveWorktree(ctx, from, to); err != nil {
		t.Fatal(err)
	}
	if head := must[Head](t)(s.Head(ctx, to)); head.Branch != "side" {
		t.Errorf("head %+v", head)
	}
	writeFile(s.t, filepath.Join(from, "mine.txt"), "x")
	if err := s.MoveWorktree(ctx, to, from); !errors.Is(err, fs.ErrExist) {
		t.Errorf("onto a folder with something in it: %v", err)
	}
	if err := s.MoveWorktree(ctx, from, filepath.Join(dir, "c")); !errors.Is(err, ErrNotRepository) {
		t.Errorf("what is no worktree: %v", err)
	}

	if err := s.SwitchTree(ctx, to, "side"); err != nil {
		t.Fatal(err)
	}
	if head := must[Head](t)(s.Head(ctx, to)); head.Branch != "" || head.Hash == "" {
		t.Errorf("detached head %+v", head)
	}
	if err := s.Attach(ctx, to, "side"); err != nil {
		t.Fatal(err)
	}
	if head := must[Head](t)(s.Head(ctx, to)); head.Branch != "side" {
		t.Errorf("attached head %+v", head)
	}
	s.git("commit", "-q", "--allow-empty", "-m", "elsewhere")
	s.git("branch", "other")
	if err := s.Attach(ctx, to, "other"); !errors.Is(err, ErrChanged) {
		t.Errorf("a branch that is elsewhere: %v", err)
	}
	if err := s.Attach(ctx, to, "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no such branch: %v", err)
	}
	if err := s.SwitchTree(ctx, s.Home(), "trunk"); err == nil {
		t.Error("the main worktree was switched")
	}
}

// TestRepairWorktree: a folder that was moved without git is registered anew; one whose
// registration belongs to another by now is not.
func TestRepairWorktree(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	s.git("worktree", "add", "-q", "--detach", a)
	if repaired := must[bool](t)(s.RepairWorktree(ctx, a)); repaired {
		t.Error("repaired what was right")
	}
	if err := os.Rename(a, b); err != nil {
		t.Fatal(err)
	}
	if repaired := must[bool](t)(s.RepairWorktree(ctx, b)); !repaired {
		t.Error("not repaired")
	}
	if known := must[*Worktree](t)(s.trees.Registered(ctx, b)); known == nil {
		t.Error("not registered where it stands")
	}
	for _, other := range []string{s.top, dir, filepath.Join(dir, "none")} {
		if repaired := must[bool](t)(s.RepairWorktree(ctx, other)); repaired {
			t.Errorf("repaired %s", other)
		}
	}

	aside := filepath.Join(dir, "aside")
	if err := os.Rename(b, aside); err != nil {
		t.Fatal(err)
	}
	s.git("worktree", "prune")
	s.git("worktree", "add", "-q", "--detach", a) // gets the registration of the first one's name
	if repaired := must[bool](t)(s.RepairWorktree(ctx, aside)); repaired {
		t.Error("took the registration of another")
	}
	if known := must[*Worktree](t)(s.trees.Registered(ctx, a)); known == nil {
		t.Error("the other is registered no longer")
	}
}

func TestParticular(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		do   func(s *sandbox, tree string)
		want string
	}{
		"nothing":          {func(*sandbox, string) {}, ""},
		"skip-worktree":    {func(s *sandbox, tree string) { gitIn(s.t, tree, "update-index", "--skip-worktree", "base.txt") }, `the index entry of "base.txt"`},
		"assume-unchanged": {func(s *sandbox, tree string) { gitIn(s.t, tree, "update-index", "--assume-unchanged", "base.txt") }, `the index entry of "base.txt"`},
		"sparse":           {func(s *sandbox, tree string) { gitIn(s.t, tree, "sparse-checkout", "set", "--no-cone", "/none") }, "config.worktree"},
		"a submodule": {func(s *sandbox, tree string) {
			gitIn(s.t, tree, "update-index", "--add", "--cacheinfo", "160000,"+strings.TrimSpace(s.git("rev-parse", "HEAD"))+",lib")
		}, `the index entry of "lib"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			tree := filepath.Join(t.TempDir(), "tree")
			s.git("worktree", "add", "-q", "--detach", tree)
			tc.do(s, tree)
			if got, err := s.Particular(context.Background(), tree); err != nil || got != tc.want {
				t.Errorf("%q, %v; want %q", got, err, tc.want)
			}
		})
	}
}
