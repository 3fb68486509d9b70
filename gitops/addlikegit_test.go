package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestAddWorktree_likeGit: a worktree is registered as git registers one, also where git is asked to do it.
func TestAddWorktree_likeGit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		base    string
		prepare func(s *sandbox)
	}{
		"plain":           {"tree", func(*sandbox) {}},
		"a dot":           {".check-x", func(*sandbox) {}},
		"a taken name":    {"tree", func(s *sandbox) { s.git("worktree", "add", "-q", "--detach", filepath.Join(s.t.TempDir(), "tree")) }},
		"a name with ..":  {"a..b", func(*sandbox) {}},
		"spaces":          {"a b", func(*sandbox) {}},
		"own settings":    {"tree", func(s *sandbox) { s.git("config", "extensions.worktreeConfig", "true") }},
		"sparse":          {"tree", func(s *sandbox) { s.git("sparse-checkout", "set", "sub") }},
		"an empty folder": {"tree", func(*sandbox) {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours, theirs := newSandbox(t), newSandbox(t)
			var looks []string
			for _, s := range []*sandbox{ours, theirs} {
				c.prepare(s)
				s.git("branch", "side")
				path := filepath.Join(t.TempDir(), c.base)
				if name == "an empty folder" {
					if err := os.Mkdir(path, 0o755); err != nil {
						t.Fatal(err)
					}
				}
				if s == theirs {
					s.git("worktree", "add", "-q", path, "side")
				} else if err := s.AddWorktree(ctx, path, "side"); err != nil {
					t.Fatal(err)
				}
				admin := must[string](t)(s.GitDir(path))
				look := filepath.Base(admin) + "\n" + gitIn(t, path, "status", "--porcelain", "--branch") + "\n" + gitIn(t, path, "ls-files", "-t")
				for _, file := range []string{"HEAD", "commondir", "locked"} {
					text, _ := os.ReadFile(filepath.Join(admin, file))
					look += file + " " + string(text)
				}
				entries, err := os.ReadDir(admin)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range entries {
					info, err := e.Info()
					if err != nil {
						t.Fatal(err)
					}
					look += "\n" + info.Mode().String() + " " + e.Name()
				}
				looks = append(looks, look)
			}
			if looks[0] != looks[1] {
				t.Errorf("ours\n%s\n\ngit's\n%s", looks[0], looks[1])
			}
		})
	}
}

// TestAddWorktree_hook: git's hook runs for a new worktree of a branch.
func TestAddWorktree_hook(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell hook")
	}
	s := newSandbox(t)
	hook := filepath.Join(s.top, ".git", "hooks", "post-checkout")
	writeFile(t, hook, "#!/bin/sh\npwd > ran.txt\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	s.git("branch", "other")
	agents, checks := filepath.Join(t.TempDir(), "tree"), filepath.Join(t.TempDir(), "check")
	if err := errors.Join(s.AddWorktree(t.Context(), agents, "other"), s.AddDetached(t.Context(), checks, "trunk")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(agents, "ran.txt")); err != nil {
		t.Errorf("in the worktree of a branch: %v", err)
	}
	if _, err := os.Stat(filepath.Join(checks, "ran.txt")); err == nil {
		t.Error("it ran in a tree that has to be as the commit alone has it")
	}
}

// TestAddDetached_fails: what is not finished leaves nothing behind.
func TestAddDetached_fails(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write(".gitattributes", "* filter=stops\n")
	s.git("config", "filter.stops.clean", "cat")
	s.git("config", "filter.stops.smudge", "false")
	s.git("config", "filter.stops.required", "true")
	s.git("add", "-A")
	s.git("commit", "-qm", "stops")
	path := filepath.Join(t.TempDir(), "tree")
	if err := s.AddDetached(context.Background(), path, "trunk"); err == nil {
		t.Error("a checkout that fails made a worktree")
	}
	left, _ := filepath.Glob(filepath.Join(s.top, ".git", "worktrees", "*"))
	if _, err := os.Lstat(path); err == nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
	if all := must[[]Worktree](t)(s.Worktrees(context.Background())); len(all) != 1 || slices.ContainsFunc(all, func(w Worktree) bool { return strings.HasSuffix(w.Path, "tree") }) {
		t.Errorf("%+v", all)
	}
}
