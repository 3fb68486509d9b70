package gitops

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"

	"chant/gitops/layout"
)

func TestRefs(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	for _, b := range []string{"chant/b", "chant/a", "other", "chantier"} {
		s.git("branch", b)
	}
	s.git("pack-refs", "--all")
	newer := s.git("commit-tree", "-m", "x", "HEAD^{tree}")
	s.git("update-ref", "refs/heads/chant/a", newer)
	s.git("branch", "chant/c")
	s.git("branch", "-D", "-q", "chant/b")
	s.git("symbolic-ref", "refs/heads/chant/alias", "refs/heads/chant/a")
	s.write(".git/refs/heads/chant/a.lock", "") // another writer, just now
	got := ""
	for _, r := range must[[]Ref](t)(s.Branches(ctx, "chant/")) {
		got += r.Name + " " + r.Hash[:6] + "\n"
	}
	tip := s.git("rev-parse", "HEAD")
	assert.Equal(t, "chant/a "+newer[:6]+"\nchant/alias "+newer[:6]+"\nchant/c "+tip[:6]+"\n", got)
	assert.Zero(t, must[[]Ref](t)(s.Refs(ctx, "refs/chant/rescue/")))
	all := must[[]Ref](t)(s.Branches(ctx, "chant"))
	assert.Equal(t, 4, len(all), "%+v", all)
}

func TestUpdateRef(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	const ref = "refs/chant/rescue/a"
	tip := s.git("rev-parse", "HEAD")
	next := s.git("commit-tree", "-m", "x", "HEAD^{tree}")
	for i, c := range []struct {
		new, old string
		want     error
	}{
		{tip, next, ErrChanged}, {tip, "", nil}, {tip, "", ErrChanged}, {next, next, ErrChanged}, {next, tip, nil},
	} {
		assert.IsError(t, s.UpdateRef(ctx, ref, c.new, c.old, "why"), c.want, "%d", i)
	}
	assert.IsError(t, s.DeleteRef(ctx, ref, tip), ErrChanged)
	for range 2 { // missing is fine
		assert.NoError(t, s.DeleteRef(ctx, ref, next))
	}
	err := s.UpdateRef(ctx, "refs/x", "nonsense", "", "why")
	assert.Error(t, err)
	assert.NotIsError(t, err, ErrChanged)
}

func TestResolve(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("tag", "-a", "-m", "tag", "v1")
	tip := s.git("rev-parse", "HEAD")
	for _, rev := range []string{"HEAD", "trunk", "refs/heads/trunk", "v1", "refs/tags/v1", tip, strings.ToUpper(tip), tip[:8], "trunk~0", ":/first"} {
		got, err := s.Resolve(ctx, rev)
		assert.Equal(t, tip, got, "%q", rev)
		assert.NoError(t, err, "%q", rev)
	}
	for _, rev := range []string{"", "none", "refs/heads/none", "refs/../HEAD", strings.Repeat("0", 40), "--all", "HEAD^{tree}", "HEAD:base.txt", "sub/deep", "a b"} {
		_, err := s.Resolve(ctx, rev)
		assert.IsError(t, err, ErrNotFound, "%q", rev)
	}
}

func TestReadFile_missing(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	for _, path := range []string{"none", "sub", "base.txt/x", "../base.txt", "/base.txt", "sub/none/x", ""} {
		_, err := s.ReadFile(ctx, "trunk", path)
		assert.IsError(t, err, ErrNotFound, "%q", path)
	}
	_, err := s.ReadDir(ctx, "trunk", "base.txt")
	assert.IsError(t, err, ErrNotFound)
	entries := must[[]Entry](t)(s.ReadDir(ctx, "trunk", ""))
	assert.Equal(t, 2, len(entries))
	assert.Equal(t, "040000", entries[1].Mode)
}

// Reads must not start a process: there is no git to be found here.
func TestReads_startNoProcess(t *testing.T) {
	s := newSandbox(t)
	tip := s.git("rev-parse", "HEAD")
	linked := filepath.Join(t.TempDir(), "linked")
	s.git("worktree", "add", "-q", "-b", "side", linked)
	s.git("sparse-checkout", "set", "--no-cone", "/base.txt") // worktreeConfig and all
	t.Setenv("PATH", t.TempDir())
	ctx := context.Background()
	if _, err := exec.LookPath("git"); err == nil {
		t.Skip("git cannot be hidden here")
	}
	r := opened(t, linked)
	for _, rev := range []string{"HEAD", "trunk", tip, "refs/heads/side"} {
		must[Commit](t)(r.ReadCommit(ctx, rev))
		must[[]byte](t)(r.ReadFile(ctx, rev, "sub/deep/file.txt"))
		must[[]Entry](t)(r.ReadDir(ctx, rev, "sub"))
	}
	must[[]Ref](t)(r.Branches(ctx, ""))
	must[Head](t)(r.Head(ctx, linked))
	var version *VersionError
	_, err := r.Status(ctx, linked)
	assert.True(t, errors.As(err, &version), "%v", err)
	assert.Equal(t, "", version.Have)
}

func TestValidBranch_likeGit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.StringOfN(rapid.SampledFrom([]rune("ab/.-@{~^:?*[\\ é\x7f")), 1, 6, -1).Draw(rt, "name") + rapid.SampledFrom([]string{"", ".lock", "/x"}).Draw(rt, "end")
		cmd := exec.Command("git", "check-ref-format", "refs/heads/"+name)
		cmd.Dir, cmd.Env = dir, os.Environ()
		want := cmd.Run() == nil && !strings.HasPrefix(name, "-")
		if got := layout.ValidBranch(name) == nil; got != want {
			rt.Fatalf("%q: %v, git says %v", name, got, want)
		}
	})
}

// TestResolve_ofOneWorktree resolves refs that each worktree has of its own.
func TestResolve_ofOneWorktree(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	tree := s.linked("a")
	s.git("-C", tree, "commit", "-q", "--allow-empty", "-m", "a")
	s.git("-C", tree, "update-ref", "refs/worktree/kept", "HEAD")
	repo := opened(t, tree)
	got := must[string](t)(repo.Resolve(context.Background(), "refs/worktree/kept"))
	assert.Equal(t, s.git("rev-parse", "a"), got)
}
