package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chant/gitops/layout"

	"github.com/alecthomas/assert/v2"
)

// cloned returns a repository and a clone of it whose remote is "origin".
func cloned(t *testing.T) (there, here *sandbox) {
	t.Helper()
	there = newSandbox(t)
	there.git("config", "receive.denyCurrentBranch", "ignore")
	here = &sandbox{t: t, top: filepath.Join(layout.RealPath(t.TempDir()), "clone")}
	gitIn(t, there.top, "clone", "-q", there.top, here.top)
	here.open()
	return there, here
}

// TestPush changes refs only if all have the expected value, and says which do not.
func TestPush(t *testing.T) {
	t.Parallel()
	there, here := cloned(t)
	here.identify()
	ctx := context.Background()
	head := here.git("rev-parse", "HEAD")
	blob := must[string](t)(here.WriteBlob(ctx, []byte("claim one\n")))
	other := must[string](t)(here.WriteBlob(ctx, []byte("claim two\n")))
	third := must[string](t)(here.WriteBlob(ctx, []byte("claim three\n")))
	const claim, branch = "refs/chant/claims/a", "refs/heads/chant/a"

	assert.NoError(t, here.Push(ctx, "origin", RefUpdate{Ref: claim, New: blob}, RefUpdate{Ref: branch, New: head}))
	assert.Equal(t, "claim one", there.git("cat-file", "blob", claim))
	for name, updates := range map[string][]RefUpdate{
		"a ref that exists":            {{Ref: claim, New: other}},
		"a ref with another value":     {{Ref: claim, New: third, Old: other}, {Ref: "refs/heads/new", New: head}},
		"one of two":                   {{Ref: "refs/heads/new", New: head}, {Ref: branch, New: here.git("commit-tree", "-m", "x", head+"^{tree}")}},
		"a ref to remove that changed": {{Ref: claim, Old: other}},
	} {
		err := here.Push(ctx, "origin", updates...)
		refused, ok := errors.AsType[*PushRefusedError](err)
		assert.True(t, ok, "%s: %v", name, err)
		assert.True(t, refused.Stale, "%s: %v", name, err)
		if there.git("for-each-ref", "refs/heads/new") != "" || there.git("cat-file", "blob", claim) != "claim one" {
			t.Errorf("%s: a part was pushed: %s", name, there.git("for-each-ref"))
		}
	}
	assert.NoError(t, here.Push(ctx, "origin", RefUpdate{Ref: claim, New: other, Old: blob}, RefUpdate{Ref: branch, Old: head}))
	assert.Equal(t, claim, there.git("for-each-ref", "--format=%(refname)", "refs/heads/chant", "refs/chant"))
}

// TestPush_forward moves a branch only to what contains it.
func TestPush_forward(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell hook")
	}
	there, here := cloned(t)
	here.identify()
	ctx := context.Background()
	base := here.git("rev-parse", "HEAD")
	here.git("commit", "-q", "--allow-empty", "-m", "one")
	one := here.git("rev-parse", "HEAD")
	target := here.git("symbolic-ref", "HEAD")
	assert.NoError(t, here.Push(ctx, "origin", RefUpdate{Ref: target, New: one, Forward: true}))
	here.git("reset", "-q", "--hard", base)
	here.git("commit", "-q", "--allow-empty", "-m", "two")
	err := here.Push(ctx, "origin", RefUpdate{Ref: target, New: here.git("rev-parse", "HEAD"), Forward: true})
	refused, ok := errors.AsType[*PushRefusedError](err)
	assert.True(t, ok, "%v", err)
	assert.True(t, refused.Stale, "%v", err)
	assert.Equal(t, one, there.git("rev-parse", target), "%v", err)
	hook := filepath.Join(there.top, ".git", "hooks", "pre-receive")
	writeFile(t, hook, "#!/bin/sh\necho this branch is protected >&2\nexit 1\n")
	assert.NoError(t, os.Chmod(hook, 0o755))
	err = here.Push(ctx, "origin", RefUpdate{Ref: "refs/heads/new", New: one}, RefUpdate{Ref: "refs/chant/a", New: one})
	refused, ok = errors.AsType[*PushRefusedError](err)
	assert.True(t, ok, "a hook: %v", err)
	assert.False(t, refused.Stale, "a hook: %v", err)
	assert.Equal(t, "refs/heads/new", refused.Refs[0].Ref, "a hook: %v", err)
	assert.Equal(t, "this branch is protected", refused.Said, "a hook: %v", err)
	assert.Error(t, here.Push(ctx, "nowhere", RefUpdate{Ref: "refs/heads/new", New: one}), "a push to nowhere")
}

// TestFetchRefs replaces and removes what the remote has changed, and only in the folders that were asked for.
func TestFetchRefs(t *testing.T) {
	t.Parallel()
	there, here := cloned(t)
	ctx := context.Background()
	const claims, runs = "refs/chant/claims/*:refs/chant/claims/*", "refs/heads/chant/*:refs/remotes/origin/chant/*"
	there.git("branch", "chant/a")
	there.git("branch", "other")
	there.git("update-ref", "refs/chant/claims/a", "HEAD")
	here.git("branch", "chant/own")
	for range 2 {
		assert.NoError(t, here.FetchRefs(ctx, "origin", claims, runs))
	}
	const all = "--format=%(refname)"
	if got := here.git("for-each-ref", all, "refs/chant", "refs/remotes/origin/chant", "refs/remotes/origin/other"); got != "refs/chant/claims/a\nrefs/remotes/origin/chant/a" {
		t.Errorf("refs are %q", got)
	}
	there.git("branch", "-D", "chant/a")
	there.git("update-ref", "-d", "refs/chant/claims/a")
	assert.NoError(t, here.FetchRefs(ctx, "origin", claims, runs))
	assert.Equal(t, "refs/heads/chant/own", here.git("for-each-ref", all, "refs/chant", "refs/remotes/origin/chant", "refs/heads/chant"))
}

// TestClone makes a clone with the branch and the name of the remote that were asked for.
func TestClone(t *testing.T) {
	t.Parallel()
	there := newSandbox(t)
	there.git("branch", "side")
	ctx := context.Background()
	dir := filepath.Join(layout.RealPath(t.TempDir()), "with space")
	repo := must[*Repo](t)(Clone(ctx, there.top, dir, "hub", "side"))
	head := must[Head](t)(repo.Head(ctx, dir))
	assert.Equal(t, "side", head.Branch, "HEAD is %+v", head)
	names := must[[]string](t)(repo.Remotes(ctx))
	assert.Equal(t, 1, len(names))
	assert.Equal(t, "hub", names[0])
	_, err := Clone(ctx, there.top, dir, "hub", "")
	assert.Error(t, err, "a clone into a folder with files")
	_, err = Clone(ctx, filepath.Join(dir, "none"), dir+"2", "hub", "")
	assert.Error(t, err, "a clone of nothing")
}

// TestRefusedRefs reads what git prints about a push that was refused, and whether another one was faster.
func TestRefusedRefs(t *testing.T) {
	t.Parallel()
	for line, c := range map[string]struct {
		why   string
		stale bool
	}{
		"!\tx:refs/heads/a\t[rejected] (stale info)":                           {"stale info", true},
		"!\tx:refs/heads/a\t[remote rejected] (atomic transaction failed)":     {"atomic transaction failed", true},
		"!\tx:refs/heads/a\t[remote rejected] (failed to update ref)":          {"failed to update ref", true},
		"!\tx:refs/heads/a\t[remote rejected] (pre-receive hook declined)":     {"pre-receive hook declined", false},
		"!\t:refs/heads/a\t[remote rejected] (deletion prohibited)":            {"deletion prohibited", false},
		"!\tx:refs/heads/a\t[remote rejected] (unable to migrate objects (1))": {"unable to migrate objects (1)", false},
	} {
		refs := refusedRefs("To /x\n" + line + "\nDone\n")
		assert.Equal(t, 1, len(refs), "%q", line)
		assert.Equal(t, RefusedRef{"refs/heads/a", c.why}, refs[0], "%q", line)
		assert.Equal(t, c.stale, isStale(refs), "%q", line)
	}
}

// TestSaid: what a remote says is repeated in one line, without progress and within bounds.
func TestSaid(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]string{
		"Writing objects: 100% (3/3), done.\n": "",
		"remote: error: GH006: Protected branch update failed for refs/heads/main.        \nremote: \nremote: error: Changes must be made through a pull request.        \n": "error: GH006: Protected branch update failed for refs/heads/main.; error: Changes must be made through a pull request.",
		"remote: Resolving deltas:   0% (0/2)\rremote: Resolving deltas: 100% (2/2), done.\nremote: no\n":                                                                    "no",
		"remote: 1\nremote: 2\nremote: 3\nremote: 4\n":        "1; 2; 3",
		"remote: " + strings.Repeat("é", maxMessage+1) + "\n": strings.Repeat("é", maxMessage) + "…",
	} {
		assert.Equal(t, want, remoteMessage(stderr), "%q", stderr)
	}
}
