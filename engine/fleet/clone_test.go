package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/work/node/fleetstest"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// TestUnlocking: a lock is removed in a clone that chant has made and nowhere else, and what succeeds is done once, also
// when the context ends with it.
func TestUnlocking(t *testing.T) {
	t.Parallel()
	f := fleetstest.NewFleet(t, map[string]string{"a.txt": "a\n"})
	p, r := f.Clone()
	lock := filepath.Join(engine.Home(p), ".git", "index.lock")
	enginetest.Write(t, "", lock, "")
	calls, warned := 0, 0
	warn := func(string) { warned++ }
	add := func(context.Context) error {
		calls++
		if _, err := os.Stat(lock); err != nil {
			return nil
		}
		return &gitops.GitError{Dir: engine.Home(p), Stderr: "fatal: Unable to create '.git/index.lock': File exists.", Waited: time.Second}
	}

	assert.Error(t, r.RetryLocked(t.Context(), warn, add), "a clone of the user's")
	assert.Equal(t, 1, calls, "a clone of the user's")
	assert.Equal(t, 0, warned, "a clone of the user's")
	_, err := os.Stat(lock)
	assert.NoError(t, err)
	assert.NoError(t, fleet.MarkOwnClone(t.Context(), p.Repo))
	calls = 0
	assert.NoError(t, r.RetryLocked(t.Context(), warn, add), "a clone of chant's")
	assert.Equal(t, 2, calls, "a clone of chant's")
	assert.Equal(t, 1, warned, "a clone of chant's")

	calls, warned = 0, 0
	ctx, end := context.WithCancel(t.Context())
	assert.NoError(t, r.RetryLocked(ctx, warn, func(context.Context) error { calls++; end(); return nil }), "a context that ends")
	assert.Equal(t, 1, calls, "a context that ends")
	assert.Equal(t, 0, warned, "a context that ends")
	other := errors.New("other")
	assert.IsError(t, r.RetryLocked(t.Context(), warn, func(context.Context) error { return other }), other)
	assert.Equal(t, 0, warned)
}

// TestPack: git collects garbage in a clone that chant has made, and in no other.
func TestPack(t *testing.T) {
	t.Parallel()
	f := fleetstest.NewFleet(t, map[string]string{"a.txt": "a\n"})
	p, r := f.Clone()
	dir := engine.Home(p)
	for i := range 1200 { // git looks at one folder of 256, and estimates
		enginetest.Write(t, dir, fmt.Sprintf("many/%d", i), fmt.Sprint(i))
	}
	enginetest.Git(t, dir, "add", "many")
	enginetest.Git(t, dir, "commit", "-q", "-m", "many")
	enginetest.Git(t, dir, "config", "gc.auto", "1") // after that, or the commit would have it done
	loose := func() string {
		t.Helper()
		count, _, _ := strings.Cut(enginetest.Git(t, dir, "count-objects"), " ")
		return count
	}
	before := loose()
	assert.NoError(t, r.Pack(t.Context()))
	assert.Equal(t, before, loose(), "a clone of the user's")
	assert.NoError(t, fleet.MarkOwnClone(t.Context(), p.Repo))
	assert.NoError(t, r.Pack(t.Context()))
	assert.Equal(t, "0", loose(), "a clone of chant's")
}

// TestDropLocks: locks that are too old to be held are removed in a clone that chant has made, and no others.
func TestDropLocks(t *testing.T) {
	t.Parallel()
	f := fleetstest.NewFleet(t, map[string]string{"a.txt": "a\n"})
	p, r := f.Clone()
	dir := filepath.Join(engine.Home(p), ".git")
	now := time.Now()
	for name, age := range map[string]time.Duration{
		"worktrees/x/HEAD.lock": time.Minute, "refs/heads/chant/y.lock": time.Hour, "index.lock": -time.Hour,
		"packed-refs.lock": 0, "chant/locks/z.lock": time.Hour, "objects/aa/b.lock": time.Hour,
	} {
		enginetest.Write(t, dir, name, "")
		assert.NoError(t, os.Chtimes(filepath.Join(dir, filepath.FromSlash(name)), now.Add(-age), now.Add(-age)))
	}
	if removed, err := r.DropLocks(t.Context(), now); len(removed) > 0 || err != nil {
		t.Errorf("a clone of the user's: %q, %v", removed, err)
	}
	assert.NoError(t, fleet.MarkOwnClone(t.Context(), p.Repo))
	removed, err := r.DropLocks(t.Context(), now)
	for i, path := range removed {
		removed[i] = strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(dir)+"/")
	}
	assert.Equal(t, "index.lock refs/heads/chant/y.lock worktrees/x/HEAD.lock", strings.Join(removed, " "))
	assert.NoError(t, err)
	for _, name := range []string{"packed-refs.lock", "chant/locks/z.lock", "objects/aa/b.lock"} {
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		assert.NoError(t, err)
	}
}
