package gitops

import (
	"context"
	"path/filepath"
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
