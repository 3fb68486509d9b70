package gitops

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"chant/gitops/layout"

	"github.com/alecthomas/assert/v2"
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
		assert.Equal(t, s.top, r.Home(), "%v", name)
		assert.Equal(t, c.dir, r.Dir(), "%v", name)
		assert.Equal(t, filepath.Join(s.top, ".git"), r.CommonDir(), "%v", name)
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
		_, err := Open(c.dir)
		assert.IsError(t, err, c.want, "%s", name)
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
	assert.Equal(t, "", s.git("status", "--porcelain"))
	linked := filepath.Join(t.TempDir(), "linked")
	s.git("worktree", "add", "-q", "--detach", linked)
	r, err := Open(linked)
	assert.NoError(t, err, "home from linked")
	assert.Equal(t, s.top, r.Home(), "home from linked")
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
	assert.NoError(t, err)
	head, err := r.Head(ctx, r.Dir())
	assert.IsError(t, err, ErrUnborn)
	assert.Equal(t, "main", head.Branch)
	_, err = r.Resolve(ctx, "HEAD")
	assert.IsError(t, err, ErrUnborn)
	_, _, err = r.CommitFiles(ctx, CommitOptions{Files: []File{file("a", "a")}, Message: "m"})
	assert.IsError(t, err, ErrUnborn)
}

func TestInit_badBranch(t *testing.T) {
	t.Parallel()
	_, err := Init(context.Background(), t.TempDir(), "-x")
	assert.Error(t, err, "no error")
}
