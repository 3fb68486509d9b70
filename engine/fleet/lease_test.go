package fleet_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/work/node/fleetstest"

	"github.com/alecthomas/assert/v2"
)

const id = "2026-11-26-001-aaa"

// held returns a lease on a spec, and what a push of another commit needs.
func held(t *testing.T) (f *fleetstest.Fleet, r *fleet.Remote, l *fleet.Lease, next string) {
	t.Helper()
	f = fleetstest.NewFleet(t, map[string]string{".chant/specs/" + id + ".md": "---\nstatus: pending\n---\n# A\n"})
	p, r := f.Clone()
	assert.NoError(t, r.Fetch(t.Context()))
	base, err := r.Tip(t.Context())
	assert.NoError(t, err)
	l, err = r.Take(t.Context(), fleet.Claim{ID: id, Worker: "one", Lease: "x", Base: base}, fleet.Held{})
	assert.NoError(t, err)
	enginetest.Git(t, engine.Home(p), "commit", "-q", "--allow-empty", "-m", "progress")
	return f, r, l, enginetest.Git(t, engine.Home(p), "rev-parse", "HEAD")
}

func keep(*fleet.Claim) {}

// TestLease_noAnswer: a push that the remote has carried out, and whose answer did not arrive, does not lose the claim.
func TestLease_noAnswer(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the hook is a shell script")
	}
	f, r, l, next := held(t)
	done, hook := filepath.Join(t.TempDir(), "done"), filepath.Join(f.Bare, "hooks", "post-receive")
	assert.NoError(t, os.MkdirAll(filepath.Dir(hook), 0o755))
	text := "#!/bin/sh\ntouch '" + done + "'\nwhile test -e '" + done + "'; do sleep 0.01; done\n"
	assert.NoError(t, os.WriteFile(hook, []byte(text), 0o755))
	ctx, cut := context.WithCancel(t.Context())
	go func() {
		for _, err := os.Stat(done); err != nil && ctx.Err() == nil; _, err = os.Stat(done) {
			time.Sleep(time.Millisecond)
		}
		cut()
	}()
	err := l.Push(ctx, next, keep)
	assert.Error(t, err, "the answer did not arrive")
	assert.NotIsError(t, err, fleet.ErrLost, "the answer did not arrive")
	assert.NoError(t, os.Remove(hook))
	assert.NoError(t, os.Remove(done))
	assert.Equal(t, next, f.Git("rev-parse", "refs/heads/chant/"+id), "the remote has not carried it out")
	assert.NoError(t, l.Push(t.Context(), next, func(c *fleet.Claim) { c.State = fleet.Completed }))
	assert.NoError(t, r.Fetch(t.Context()))
	c, err := r.Claim(t.Context(), id)
	assert.NoError(t, err)
	assert.Equal(t, fleet.Completed, c.State)
	assert.Equal(t, "one", c.Worker)
}

// TestLease_locked: a ref that is locked in the remote is no loss; one that another worker has taken is.
func TestLease_locked(t *testing.T) {
	t.Parallel()
	f, r, l, next := held(t)
	lock := filepath.Join(f.Bare, filepath.FromSlash(fleet.ClaimRef(id))+".lock")
	assert.NoError(t, os.WriteFile(lock, nil, 0o644))
	err := l.Push(t.Context(), next, keep)
	assert.Error(t, err)
	assert.NotIsError(t, err, fleet.ErrLost)
	assert.NoError(t, os.Remove(lock))
	assert.NoError(t, l.Push(t.Context(), next, keep))
	assert.NoError(t, r.Fetch(t.Context()))
	from, err := r.Claim(t.Context(), id)
	assert.NoError(t, err)
	_, err = r.Take(t.Context(), fleet.Claim{ID: id, Worker: "two", Lease: "y", Base: from.Base}, from)
	assert.NoError(t, err)
	assert.IsError(t, l.Push(t.Context(), next, keep), fleet.ErrLost)
}

// TestRemote_Fetch: a caller that waits for the fetch of another one does not take a failed one for its own.
func TestRemote_Fetch(t *testing.T) {
	t.Parallel()
	f, r, _, _ := held(t)
	away := f.Bare + ".away"
	assert.NoError(t, os.Rename(f.Bare, away))
	const callers = 6
	ended := make(chan error, callers)
	for range callers {
		go func() { ended <- r.Fetch(t.Context()) }()
	}
	for range callers {
		assert.Error(t, <-ended, "fetched from a remote that is away")
	}
	assert.NoError(t, os.Rename(away, f.Bare))
	assert.NoError(t, r.Fetch(t.Context()))
}

// TestRemote_light: a light fetch brings claims and the target, and the branches of runs come with FetchAll, which also
// forgets those that are gone.
func TestRemote_light(t *testing.T) {
	t.Parallel()
	f, _, l, next := held(t)
	assert.NoError(t, l.Push(t.Context(), next, keep))
	p, r := f.Clone() // has the branch since it was made
	other := &fleet.Remote{Repo: p.Repo, Name: r.Name, Target: r.Target, Prefix: r.Prefix, Light: true}
	enginetest.Git(t, engine.Home(p), "update-ref", "-d", "refs/remotes/origin/chant/"+id)
	look := func(what string, fetch func(context.Context) error, claimed bool, want string) {
		t.Helper()
		assert.NoError(t, fetch(t.Context()))
		claim, err := other.Claim(t.Context(), id)
		if err != nil || (claim.Hash != "") != claimed {
			t.Errorf("%s: claim %+v, %v", what, claim, err)
		}
		if got, err := other.Branch(t.Context(), id); err != nil || got != want {
			t.Errorf("%s: branch %q, %v, want %q", what, got, err, want)
		}
	}
	look("light", other.Fetch, true, "")
	look("all", other.FetchAll, true, next)
	claim, err := other.Claim(t.Context(), id)
	assert.NoError(t, err)
	_, err = r.Forget(t.Context(), fleet.Done{Held: claim, Branch: next}, "refs/chant/rescue/")
	assert.NoError(t, err)
	enginetest.Git(t, engine.Home(p), "update-ref", "refs/remotes/origin/chant/"+id, next) // a push from here forgets it, too
	look("light, when it is gone", other.Fetch, false, next)
	look("all, when it is gone", other.FetchAll, false, "")
}
