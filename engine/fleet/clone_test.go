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

	if err := r.RetryLocked(t.Context(), warn, add); err == nil || calls != 1 || warned != 0 {
		t.Errorf("a clone of the user's: %v, %d calls, %d warnings", err, calls, warned)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Fatal(err)
	}
	if err := fleet.MarkOwnClone(t.Context(), p.Repo); err != nil {
		t.Fatal(err)
	}
	calls = 0
	if err := r.RetryLocked(t.Context(), warn, add); err != nil || calls != 2 || warned != 1 {
		t.Errorf("a clone of chant's: %v, %d calls, %d warnings", err, calls, warned)
	}

	calls, warned = 0, 0
	ctx, end := context.WithCancel(t.Context())
	if err := r.RetryLocked(ctx, warn, func(context.Context) error { calls++; end(); return nil }); err != nil || calls != 1 || warned != 0 {
		t.Errorf("a context that ends: %v, %d calls, %d warnings", err, calls, warned)
	}
	other := errors.New("other")
	if err := r.RetryLocked(t.Context(), warn, func(context.Context) error { return other }); !errors.Is(err, other) || warned != 0 {
		t.Errorf("another error: %v, %d warnings", err, warned)
	}
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
	if err := r.Pack(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := loose(); now != before {
		t.Errorf("a clone of the user's had %s objects with files of their own, and has %s", before, now)
	}
	if err := fleet.MarkOwnClone(t.Context(), p.Repo); err != nil {
		t.Fatal(err)
	}
	if err := r.Pack(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := loose(); now != "0" {
		t.Errorf("a clone of chant's has %s objects with files of their own", now)
	}
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
		if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(name)), now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if removed, err := r.DropLocks(t.Context(), now); len(removed) > 0 || err != nil {
		t.Errorf("a clone of the user's: %q, %v", removed, err)
	}
	if err := fleet.MarkOwnClone(t.Context(), p.Repo); err != nil {
		t.Fatal(err)
	}
	removed, err := r.DropLocks(t.Context(), now)
	for i, path := range removed {
		removed[i] = strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(dir)+"/")
	}
	if want := "index.lock refs/heads/chant/y.lock worktrees/x/HEAD.lock"; strings.Join(removed, " ") != want || err != nil {
		t.Errorf("%q, %v, want %s", removed, err, want)
	}
	for _, name := range []string{"packed-refs.lock", "chant/locks/z.lock", "objects/aa/b.lock"} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
}
