package gitops

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"chant/gitops/layout"
)

func TestConfig_manyValues(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := context.Background()
	const key = "notes.rewriteRef"
	s.git("config", key, "refs/notes/mine")
	for _, want := range []bool{true, false} {
		if got := must[bool](t)(s.AddConfig(ctx, key, "refs/notes/a.b")); got != want {
			t.Errorf("added %v, want %v", got, want)
		}
	}
	if got := must[[]string](t)(s.config.All(ctx, key)); !slices.Equal(got, []string{"refs/notes/mine", "refs/notes/a.b"}) {
		t.Errorf("%q", got)
	}
	s.git("config", "--add", key, "refs/notes/aXb")
	for range 2 {
		if err := s.DropConfig(ctx, key, "refs/notes/a.b"); err != nil {
			t.Error(err)
		}
	}
	if got := must[[]string](t)(s.config.All(ctx, key)); !slices.Equal(got, []string{"refs/notes/mine", "refs/notes/aXb"}) {
		t.Errorf("%q", got)
	}
	if got, err := s.config.All(ctx, "no.such"); err != nil || len(got) > 0 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestHooksDir(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := context.Background()
	linked := filepath.Join(layout.RealPath(t.TempDir()), "linked tree")
	s.git("worktree", "add", "-q", "-b", "side", linked)
	for _, c := range []struct{ setting, dir, want string }{
		{"", s.top, filepath.Join(s.top, ".git", "hooks")},
		{"", linked, filepath.Join(s.top, ".git", "hooks")},
		{".husky/_", s.top, filepath.Join(s.top, ".husky", "_")},
		{".husky/_", linked, filepath.Join(linked, ".husky", "_")},
		{filepath.Join(s.top, "a b"), linked, filepath.Join(s.top, "a b")},
	} {
		if c.setting != "" {
			s.git("config", "core.hooksPath", c.setting)
		}
		if got := must[string](t)(s.HooksDir(ctx, c.dir)); got != c.want {
			t.Errorf("hooksPath %q in %s: %s", c.setting, c.dir, got)
		}
	}
}

func TestTracked(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := context.Background()
	s.write("new.txt", "x\n")
	for path, want := range map[string]bool{"base.txt": true, "sub/deep/file.txt": true, "new.txt": false, "gone.txt": false, "*.txt": false, "../x": false} {
		if got := must[bool](t)(s.Tracked(ctx, s.top, filepath.Join(s.top, filepath.FromSlash(path)))); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
