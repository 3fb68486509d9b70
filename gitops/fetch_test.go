package gitops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"chant/gitops/layout"

	"github.com/alecthomas/assert/v2"
)

func TestFetchRef(t *testing.T) {
	t.Parallel()
	there := newSandbox(t)
	ctx := context.Background()
	s := &sandbox{t: t, top: filepath.Join(layout.RealPath(t.TempDir()), "clone")}
	gitIn(t, there.top, "clone", "-q", there.top, s.top)
	s.open()
	const from, to = "refs/notes/chant", "refs/notes/chant-origin"
	before := s.git("for-each-ref")
	if found := must[bool](t)(s.FetchRef(ctx, "origin", from, to)); found || s.git("for-each-ref") != before {
		t.Errorf("found %v; refs are\n%s", found, s.git("for-each-ref"))
	}
	for _, text := range []string{"one", "two"} {
		there.git("tag", "-f", text)
		there.git("notes", "--ref", from, "add", "-f", "-m", text, "HEAD")
		assert.True(t, must[bool](t)(s.FetchRef(ctx, "origin", from, to)), "%s was not fetched", text)
		assert.Equal(t, text, s.git("notes", "--ref", to, "show", "HEAD"))
	}
	there.git("update-ref", "-d", from)
	there.git("notes", "--ref", from, "add", "-m", "of another history", "HEAD")
	assert.True(t, must[bool](t)(s.FetchRef(ctx, "origin", from, to)), "a ref that diverged was not fetched")
	assert.Equal(t, "of another history", s.git("notes", "--ref", to, "show", "HEAD"), "a ref that diverged was not fetched")
	assert.Equal(t, "", s.git("tag"), "tags came along")
	for _, remote := range []string{"nowhere", "--upload-pack=touch x"} {
		_, err := s.FetchRef(ctx, remote, from, to)
		assert.Error(t, err, "%q is a remote", remote)
	}
	_, err := s.FetchRef(ctx, "origin", "main", to)
	assert.Error(t, err, "a branch is a full ref name")
	assert.True(t, must[bool](t)(s.RemoteHas(ctx, "origin", from)), "refs of the remote are not told apart")
	assert.False(t, must[bool](t)(s.RemoteHas(ctx, "origin", "refs/notes/none")), "refs of the remote are not told apart")
	got := must[[]string](t)(s.Remotes(ctx))
	assert.Equal(t, 1, len(got))
	assert.Equal(t, "origin", got[0])
	assert.True(t, must[bool](t)(s.HasRemote(ctx, "origin")), "remotes are not told apart")
	assert.False(t, must[bool](t)(s.HasRemote(ctx, "nowhere")), "remotes are not told apart")
}

// TestFetchRefs_overtaken: another process moves a ref while it is fetched, as if it fetched at the same time.
func TestFetchRefs_overtaken(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell script")
	}
	there, here := cloned(t)
	first := here.git("rev-parse", "HEAD")
	branch := here.git("symbolic-ref", "--short", "HEAD")
	mirror := "refs/remotes/origin/" + branch
	there.git("commit", "-q", "--allow-empty", "-m", "two")
	want := there.git("rev-parse", "HEAD")
	here.identify()
	other := here.git("commit-tree", "-m", "other", "HEAD^{tree}")
	once := filepath.Join(here.top, ".git", "once")
	assert.NoError(t, os.WriteFile(once, nil, 0o644))
	script := filepath.Join(here.top, ".git", "serve")
	text := fmt.Sprintf("#!/bin/sh\ngit-upload-pack \"$@\"\n[ ! -e %q ] || git -C %q update-ref %s %s %s\nrm -f %q\n", once, here.top, mirror, other, first, once)
	assert.NoError(t, os.WriteFile(script, []byte(text), 0o755))
	here.git("config", "remote.origin.uploadpack", script)
	assert.NoError(t, here.FetchRefs(t.Context(), "origin", "refs/heads/*:refs/remotes/origin/*"))
	assert.Equal(t, want, here.git("rev-parse", mirror), "%s", mirror)
	_, err := os.Stat(once)
	assert.Error(t, err, "the ref was not moved while it was fetched")
}
