package node

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/gitops"
)

// bareRemote returns the folder of a remote with one commit on main.
func bareRemote(t *testing.T) string {
	t.Helper()
	bare, dir := filepath.Join(t.TempDir(), "app.git"), t.TempDir()
	enginetest.Git(t, t.TempDir(), "init", "-q", "--bare", "-b", "main", bare)
	enginetest.Git(t, dir, "init", "-q", "-b", "main")
	enginetest.Commit(t, dir, map[string]string{"a.txt": "a\n"})
	enginetest.Git(t, dir, "push", "-q", bare, "main")
	return bare
}

// TestOpenClone: a clone is made where nothing is, or an empty folder, which stays the same folder; what is there already
// is left alone.
func TestOpenClone(t *testing.T) {
	t.Parallel()
	url := bareRemote(t)
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		before func(dir string)
		says   string // "" = a clone
	}{
		"nothing":      {func(string) {}, ""},
		"empty folder": {func(dir string) { os.Mkdir(dir, 0o755) }, ""},
		"files":        {func(dir string) { os.Mkdir(dir, 0o755); write(filepath.Join(dir, "x"), "mine") }, "is not empty"},
		"a file":       {func(dir string) { write(dir, "mine") }, "not a directory"},
		"a repository": {func(dir string) { enginetest.Git(t, filepath.Dir(dir), "init", "-q", dir) }, "is not empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			dir := filepath.Join(parent, "app")
			c.before(dir)
			was, _ := os.Stat(dir)
			repo, err := openClone(t.Context(), url, dir, "origin", "")
			known, _ := errors.AsType[*engine.Error](err)
			switch {
			case c.says == "" && (err != nil || repo.Home() != dir || enginetest.Read(t, dir, "a.txt") != "a\n"):
				t.Errorf("no clone: %v", err)
			case c.says != "" && (known == nil || known.Code != engine.Conflict || !strings.Contains(known.Message, c.says)):
				t.Errorf("error %v, want %q", err, c.says)
			}
			if is, err := os.Stat(dir); was != nil && (err != nil || !os.SameFile(was, is)) {
				t.Errorf("%s is another folder now: %v", dir, err)
			}
			if left, _ := filepath.Glob(filepath.Join(parent, ".chant-clone-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestCheckPush: a remote that can be read and not be pushed to is reported before any spec is taken.
func TestCheckPush(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(t *testing.T, bare string, repo *gitops.Repo)
		says    string // "" = it can be pushed to
	}{
		"open": {func(*testing.T, string, *gitops.Repo) {}, ""},
		"read-only": {func(t *testing.T, bare string, repo *gitops.Repo) {
			enginetest.Git(t, repo.Home(), "config", "remote.origin.pushurl", bare+".none")
		}, "fails: git push: "},
		"policy": {func(t *testing.T, bare string, _ *gitops.Repo) {
			hook := filepath.Join(bare, "hooks", "pre-receive")
			if err := os.WriteFile(hook, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, "pre-receive hook declined"},
		"no network": {func(t *testing.T, _ string, repo *gitops.Repo) {
			enginetest.Git(t, repo.Home(), "config", "remote.origin.pushurl", "git://127.0.0.1:1/app.git")
		}, "unable to connect"},
		"no network yet": {func(t *testing.T, _ string, repo *gitops.Repo) {
			enginetest.Git(t, repo.Home(), "config", "remote.origin.pushurl", "git://127.0.0.1:1/app.git")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bare := bareRemote(t)
			repo, err := openClone(t.Context(), bare, filepath.Join(t.TempDir(), "app"), "origin", "")
			if err != nil {
				t.Fatal(err)
			}
			c.prepare(t, bare, repo)
			p, _ := enginetest.Project(t)
			waits := 0
			p.After = func(time.Duration) <-chan time.Time {
				if waits++; waits == 2 && name == "no network yet" {
					enginetest.Git(t, repo.Home(), "config", "--unset", "remote.origin.pushurl")
				}
				now := make(chan time.Time, 1)
				now <- time.Now()
				return now
			}
			err = checkPush(t.Context(), p, &fleet.Remote{Repo: repo, Name: "origin", Target: "main", Prefix: "chant/"})
			known, _ := errors.AsType[*engine.Error](err)
			switch {
			case c.says == "" && err != nil:
				t.Error(err)
			case c.says != "" && (known == nil || known.Code != engine.Conflict || !strings.Contains(known.Message, c.says) || !strings.Contains(known.Message, "refs/chant/*")):
				t.Errorf("error %v, want %q", err, c.says)
			}
		})
	}
}

// TestOpenClone_head: the HEAD of a remote may name a branch that does not exist, as that of a bare repository that was made
// with another default branch; then the branch with the project is checked out, and no branch of a run.
func TestOpenClone_head(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	bare := filepath.Join(t.TempDir(), "app.git")
	enginetest.Git(t, dir, "init", "-q", "--bare", "-b", "nowhere", bare)
	enginetest.Git(t, dir, "push", "-q", bare, "HEAD:refs/heads/chant/a", "HEAD:refs/heads/main")
	repo, err := openClone(t.Context(), bare, filepath.Join(t.TempDir(), "clone"), "origin", "")
	if err != nil {
		t.Fatal(err)
	}
	if head, err := repo.Head(t.Context(), repo.Home()); err != nil || head.Branch != "main" {
		t.Errorf("%q is checked out, %v", head.Branch, err)
	}
}
