package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"chant/gitops/layout"
)

func TestOpen_places(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	linked := filepath.Join(layout.RealPath(t.TempDir()), "a linked tree é")
	s.git("worktree", "add", "-q", "-b", "side", linked)
	alias := filepath.Join(t.TempDir(), "alias")
	if err := os.Symlink(s.top, alias); err != nil {
		t.Skip(err)
	}
	for name, c := range map[string]struct{ from, dir string }{
		"top":               {s.top, s.top},
		"subdirectory":      {filepath.Join(s.top, "sub", "deep"), s.top},
		"inside .git":       {filepath.Join(s.top, ".git", "refs"), s.top},
		"symbolic link":     {alias, s.top},
		"linked worktree":   {linked, linked},
		"below linked tree": {filepath.Join(linked, "sub"), linked},
	} {
		r, err := Open(c.from)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r.Home() != s.top || r.Dir() != c.dir || r.CommonDir() != filepath.Join(s.top, ".git") {
			t.Errorf("%s: home %q, dir %q, common %q", name, r.Home(), r.Dir(), r.CommonDir())
		}
	}
}

func TestOpen_refused(t *testing.T) {
	t.Parallel()
	none, bare := t.TempDir(), t.TempDir()
	gitIn(t, bare, "init", "-q", "--bare")
	for name, c := range map[string]struct {
		dir  string
		want error
	}{
		"no repository": {none, ErrNotRepository},
		"missing":       {filepath.Join(none, "missing"), ErrNotRepository},
		"bare":          {bare, ErrBare},
		"inside bare":   {filepath.Join(bare, "refs"), ErrBare},
	} {
		if _, err := Open(c.dir); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpen_submodule(t *testing.T) {
	t.Parallel()
	inner, outer := newSandbox(t), newSandbox(t)
	outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.top, "mod")
	s := &sandbox{t: t, top: filepath.Join(outer.top, "mod")}
	s.identify()
	s.open()
	if s.Home() != s.top || s.Dir() != s.top {
		t.Fatalf("home %q, dir %q", s.Home(), s.Dir())
	}
	s.commit("new.txt", "new\n")
	if got := s.git("status", "--porcelain"); got != "" {
		t.Fatal(got)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	s.git("worktree", "add", "-q", "--detach", linked)
	r, err := Open(linked)
	if err != nil || r.Home() != s.top {
		t.Fatalf("home from linked: %v, %v", r, err)
	}
}

func TestOpen_separateGitDir(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, "--separate-git-dir", filepath.Join(t.TempDir(), "elsewhere"))
	s.commit("new.txt", "new\n")
	if s.Home() != s.top || s.git("status", "--porcelain") != "" {
		t.Fatalf("home %q, status %q", s.Home(), s.git("status", "--porcelain"))
	}
}

func TestHead_unborn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r, err := Init(ctx, filepath.Join(t.TempDir(), "new"), "main")
	if err != nil {
		t.Fatal(err)
	}
	head, err := r.Head(ctx, r.Dir())
	if !errors.Is(err, ErrUnborn) || head.Branch != "main" {
		t.Errorf("head %+v, %v", head, err)
	}
	if _, err := r.Resolve(ctx, "HEAD"); !errors.Is(err, ErrUnborn) {
		t.Errorf("resolve: %v", err)
	}
	if _, _, err := r.CommitFiles(ctx, CommitOptions{Files: []File{file("a", "a")}, Message: "m"}); !errors.Is(err, ErrUnborn) {
		t.Errorf("commit: %v", err)
	}
}

func TestInit_badBranch(t *testing.T) {
	t.Parallel()
	if _, err := Init(context.Background(), t.TempDir(), "-x"); err == nil {
		t.Fatal("no error")
	}
}
