package gitops

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/gitops/layout"

	"github.com/alecthomas/assert/v2"
)

// Every repository that git accepts must be read, committed to, and left clean.
func TestRepo_odd(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(t *testing.T) *sandbox{
		"plain":           func(t *testing.T) *sandbox { return newSandbox(t) },
		"sha256":          func(t *testing.T) *sandbox { return newSandbox(t, "--object-format=sha256") },
		"packed":          oddAfter("gc", "-q"),
		"packed refs":     oddAfter("pack-refs", "--all"),
		"worktree config": oddConfig("extensions.worktreeConfig", "true"),
		"sparse":          oddAfter("sparse-checkout", "set", "--no-cone", "/base.txt"),
		"sparse cone":     oddAfter("sparse-checkout", "set", "--cone", "none"),
		"sparse index":    oddAfter("sparse-checkout", "set", "--cone", "--sparse-index", "none"),
		"split index":     oddAfter("update-index", "--split-index"),
		"index v4":        oddAfter("update-index", "--index-version", "4"),
		"autocrlf":        oddConfig("core.autocrlf", "true"),
		"shared":          oddConfig("core.sharedRepository", "group"),
		"quoted paths":    oddConfig("core.quotePath", "true"),
		"odd config":      oddConfig("alias.x", "!f() { echo \"a # b; c\\t\"; }; f"),
		"unknown ref dir": oddAfter("update-ref", "refs/chant/x/y", "HEAD"),
		"alternates":      oddClone("--shared"),
		"partial clone":   oddClone("--no-local", "--filter=blob:none", "--no-checkout"),
		"shallow clone":   oddClone("--no-local", "--depth=1"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := make(t)
			checkOdd(t, s)
		})
	}
}

func checkOdd(t *testing.T, s *sandbox) {
	ctx := context.Background()
	before := s.git("status", "--porcelain")
	path := "sub/new dir/spec é.md"
	content := "# spec\nline\n"
	s.write(path, content)
	_, changed, err := s.CommitFiles(ctx, CommitOptions{Files: []File{file(path, content)}, Message: "add\n\nChant-Event: add"})
	assert.NoError(t, err)
	assert.True(t, changed, "%v %v", changed, err)
	for _, p := range []string{path, "base.txt", "sub/deep/file.txt"} {
		want := s.git("cat-file", "blob", "HEAD:"+p)
		got := must[[]byte](t)(s.ReadFile(ctx, "trunk", p))
		assert.Equal(t, want, strings.TrimRight(string(got), "\n"), "%q: %q, git", p, got)
	}
	entries := must[[]Entry](t)(s.ReadDir(ctx, "HEAD", "sub"))
	assert.Equal(t, 2, len(entries))
	assert.True(t, entries[1].Dir, "entries %+v", entries)
	c := must[Commit](t)(s.ReadCommit(ctx, "trunk"))
	assert.Equal(t, "add", c.Subject)
	assert.Equal(t, "add", c.Trailers["Chant-Event"])
	linked := filepath.Join(t.TempDir(), "linked")
	s.git("branch", "chant/a")
	assert.NoError(t, s.AddWorktree(ctx, linked, "chant/a"))
	writeFile(t, filepath.Join(linked, "agent.txt"), "done\n")
	hash := must[string](t)(s.CommitAll(ctx, linked, "agent"))
	changes := must[[]Change](t)(s.Diff(ctx, "trunk", hash))
	assert.Equal(t, []Change{{Status: 'A', Path: "agent.txt"}}, changes, "the agent's commit changes")
	m := must[Merge](t)(s.MergeTree(ctx, "trunk", hash))
	assert.Zero(t, m.Conflicts)
	assert.Equal(t, s.git("rev-parse", hash+"^{tree}"), m.Tree)
	err = s.AddNote(ctx, "refs/notes/chant", hash, []byte("note\n"))
	assert.NoError(t, err)
	assert.Equal(t, "note", s.git("notes", "--ref=chant", "show", hash))
	assert.NoError(t, s.RemoveWorktree(ctx, linked))
	assert.Equal(t, before, s.git("status", "--porcelain"))
}

func oddAfter(args ...string) func(*testing.T) *sandbox {
	return func(t *testing.T) *sandbox {
		s := newSandbox(t)
		s.git(args...)
		return s.open()
	}
}

func oddConfig(key, value string) func(*testing.T) *sandbox { return oddAfter("config", key, value) }

func oddClone(args ...string) func(*testing.T) *sandbox {
	return func(t *testing.T) *sandbox {
		from := newSandbox(t)
		from.git("config", "uploadpack.allowFilter", "true")
		from.git("config", "uploadpack.allowAnySHA1InWant", "true")
		s := &sandbox{t: t, top: filepath.Join(layout.RealPath(t.TempDir()), "clone")}
		gitIn(t, from.top, append(append([]string{"clone", "-q"}, args...), "file://"+from.top, s.top)...)
		s.identify()
		return s.open()
	}
}

// A sparse worktree does not show what it leaves out as deleted.
func TestCommitFiles_sparseStaysClean(t *testing.T) {
	t.Parallel()
	s := oddAfter("sparse-checkout", "set", "--no-cone", "/base.txt")(t)
	_, _, err := s.CommitFiles(context.Background(), CommitOptions{Files: []File{file("sub/deep/file.txt", "two\n"), file("out/new", "n\n")}, Message: "m"})
	got := s.git("status", "--porcelain")
	assert.NoError(t, err)
	assert.Equal(t, "", got)
}

// Repositories are repacked under a long-lived reader.
func TestReadFile_afterRepack(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	for i := range 5 {
		s.write("grow.txt", strings.Repeat("x", i))
		s.git("add", "-A")
		s.git("commit", "-qm", "grow")
		s.git("gc", "-q", "--prune=now")
		got := must[[]byte](t)(s.ReadFile(ctx, "HEAD", "grow.txt"))
		assert.Equal(t, i, len(got), "round %q", got)
	}
}

func TestCommitFiles_signed(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	gpg := filepath.Join(t.TempDir(), "fake gpg")
	script := "#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED x' >&2\nprintf -- '-----BEGIN PGP SIGNATURE-----\\n\\nfake\\n-----END PGP SIGNATURE-----\\n'\n"
	assert.NoError(t, os.WriteFile(gpg, []byte(script), 0o755))
	s.git("config", "gpg.program", gpg)
	s.git("config", "commit.gpgsign", "true")
	hash := s.commit("a.txt", "a\n")
	assert.Contains(t, s.git("cat-file", "commit", hash), "gpgsig -----BEGIN PGP SIGNATURE-----")
	c := must[Commit](t)(s.ReadCommit(ctx, hash))
	assert.Equal(t, "set a.txt", c.Subject)
	assert.Equal(t, "Ann Example <ann@example.com>", c.Author)
}

func TestCommitFiles_filters(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write(".gitattributes", "*.up filter=up\n*.txt text eol=crlf\n")
	s.git("config", "filter.up.clean", "tr a-z A-Z")
	s.git("config", "filter.up.smudge", "tr A-Z a-z")
	s.commit("a.up", "shout")
	s.commit("b.txt", "one\r\ntwo\r\n")
	assert.Equal(t, "SHOUTone\ntwo", s.git("cat-file", "blob", "HEAD:a.up")+s.git("cat-file", "blob", "HEAD:b.txt"))
	assert.Equal(t, "?? .gitattributes", s.git("status", "--porcelain"))
}
