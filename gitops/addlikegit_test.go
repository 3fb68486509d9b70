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

	"github.com/alecthomas/assert/v2"
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
					assert.NoError(t, os.Mkdir(path, 0o755))
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
				assert.NoError(t, err)
				for _, e := range entries {
					info, err := e.Info()
					assert.NoError(t, err)
					look += "\n" + info.Mode().String() + " " + e.Name()
				}
				looks = append(looks, look)
			}
			assert.Equal(t, looks[1], looks[0])
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
	assert.NoError(t, os.Chmod(hook, 0o755))
	s.git("branch", "other")
	agents, checks := filepath.Join(t.TempDir(), "tree"), filepath.Join(t.TempDir(), "check")
	assert.NoError(t, errors.Join(s.AddWorktree(t.Context(), agents, "other"), s.AddDetached(t.Context(), checks, "trunk")))
	_, err := os.Stat(filepath.Join(agents, "ran.txt"))
	assert.NoError(t, err, "in the worktree of a branch")
	_, err = os.Stat(filepath.Join(checks, "ran.txt"))
	assert.Error(t, err, "it ran in a tree that has to be as the commit alone has it")
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
	assert.Error(t, s.AddDetached(context.Background(), path, "trunk"), "a checkout that fails made a worktree")
	left, _ := filepath.Glob(filepath.Join(s.top, ".git", "worktrees", "*"))
	_, err := os.Lstat(path)
	assert.Error(t, err, "left %q", left)
	assert.Zero(t, left, "left %q", left)
	all := must[[]Worktree](t)(s.Worktrees(context.Background()))
	assert.Equal(t, 1, len(all))
	assert.False(t, slices.ContainsFunc(all, func(w Worktree) bool { return strings.HasSuffix(w.Path, "tree") }), "%+v", all)
}
