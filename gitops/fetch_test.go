package gitops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"chant/gitops/layout"
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
		if !must[bool](t)(s.FetchRef(ctx, "origin", from, to)) || s.git("notes", "--ref", to, "show", "HEAD") != text {
			t.Errorf("%s was not fetched", text)
		}
	}
	there.git("update-ref", "-d", from)
	there.git("notes", "--ref", from, "add", "-m", "of another history", "HEAD")
	if !must[bool](t)(s.FetchRef(ctx, "origin", from, to)) || s.git("notes", "--ref", to, "show", "HEAD") != "of another history" {
		t.Error("a ref that diverged was not fetched")
	}
	if tags := s.git("tag"); tags != "" {
		t.Errorf("tags came along: %s", tags)
	}
	for _, remote := range []string{"nowhere", "--upload-pack=touch x"} {
		if _, err := s.FetchRef(ctx, remote, from, to); err == nil {
			t.Errorf("%q is a remote", remote)
		}
	}
	if _, err := s.FetchRef(ctx, "origin", "main", to); err == nil {
		t.Error("a branch is a full ref name")
	}
	if !must[bool](t)(s.RemoteHas(ctx, "origin", from)) || must[bool](t)(s.RemoteHas(ctx, "origin", "refs/notes/none")) {
		t.Error("refs of the remote are not told apart")
	}
	if got := must[[]string](t)(s.Remotes(ctx)); len(got) != 1 || got[0] != "origin" {
		t.Errorf("remotes %q", got)
	}
	if !must[bool](t)(s.HasRemote(ctx, "origin")) || must[bool](t)(s.HasRemote(ctx, "nowhere")) {
		t.Error("remotes are not told apart")
	}
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
	if err := os.WriteFile(once, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(here.top, ".git", "serve")
	text := fmt.Sprintf("#!/bin/sh\ngit-upload-pack \"$@\"\n[ ! -e %q ] || git -C %q update-ref %s %s %s\nrm -f %q\n", once, here.top, mirror, other, first, once)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	here.git("config", "remote.origin.uploadpack", script)
	if err := here.FetchRefs(t.Context(), "origin", "refs/heads/*:refs/remotes/origin/*"); err != nil {
		t.Error(err)
	}
	if got := here.git("rev-parse", mirror); got != want {
		t.Errorf("%s is at %s, want %s", mirror, got, want)
	}
	if _, err := os.Stat(once); err == nil {
		t.Error("the ref was not moved while it was fetched")
	}
}
