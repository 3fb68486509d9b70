package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRun_cancelEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell hook and a fifo")
	}
	s := newSandbox(t)
	// The hook says that it runs, then waits for what never comes.
	hook := "#!/bin/sh\nprintf x > started\nexec sleep 600\n"
	writeFile(t, filepath.Join(s.top, ".git", "hooks", "prepare-commit-msg"), hook)
	if err := os.Chmod(filepath.Join(s.top, ".git", "hooks", "prepare-commit-msg"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("a.txt", "a\n")
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := errors.New("stopped by a person")
	ended := make(chan error)
	go func() {
		_, err := s.CommitAll(ctx, s.top, "m")
		ended <- err
	}()
	awaitFile(t, filepath.Join(s.top, "started"))
	cancel(stopped)
	if err := <-ended; !errors.Is(err, stopped) {
		t.Fatalf("%v", err)
	}
	if !gone(filepath.Join(s.top, ".git", "index.lock")) {
		t.Error("a lock file was left behind")
	}
}

func TestRun_limit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	_, err := s.Repo.git.run(t.Context(), call{dir: s.top, settings: []string{"alias.forever=!exec sleep 600"}, args: []string{"forever"}, limit: time.Millisecond})
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "git forever") {
		t.Fatalf("%v", err)
	}
}

func TestRun_canceledBefore(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, statusErr := s.Status(ctx, s.top)
	_, readErr := s.ReadFile(ctx, "trunk", "base.txt")
	_, refsErr := s.Branches(ctx, "")
	for _, err := range []error{statusErr, readErr, refsErr} {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	env := environment([]string{
		"HOME=/h", "GIT_DIR=/x", "GIT_INDEX_FILE=/x", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a", "GIT_CONFIG_PARAMETERS='a'",
		"GIT_AUTHOR_NAME=Ann", "GIT_SSH_COMMAND=ssh", "GIT_CONFIG_GLOBAL=/g", "GIT_TRACE=1", "GIT_CEILING_DIRECTORIES=/y", "LC_ALL=de_DE",
	}, call{dir: "/repo/top", env: []string{"GIT_INDEX_FILE=/mine"}})
	for _, want := range []string{"HOME=/h", "GIT_AUTHOR_NAME=Ann", "GIT_SSH_COMMAND=ssh", "GIT_CONFIG_GLOBAL=/g", "GIT_OPTIONAL_LOCKS=0", "GIT_CEILING_DIRECTORIES=/repo", "GIT_INDEX_FILE=/mine"} {
		if !slices.Contains(env, filepath.FromSlash(want)) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, pair := range env {
		if strings.HasPrefix(pair, "GIT_DIR=") || strings.HasPrefix(pair, "GIT_CONFIG_C") || strings.HasPrefix(pair, "GIT_CONFIG_K") || pair == "GIT_INDEX_FILE=/x" {
			t.Errorf("%q was let through", pair)
		}
	}
	if slices.Index(env, "LC_ALL=C") < slices.Index(env, "LC_ALL=de_DE") {
		t.Error("the language is not git's own")
	}
}

func TestRun_insideAHook(t *testing.T) {
	s, other := newSandbox(t), newSandbox(t)
	t.Setenv("GIT_DIR", filepath.Join(other.top, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other.top, ".git", "index"))
	if _, _, err := s.CommitFiles(context.Background(), CommitOptions{Files: []File{file("a.txt", "a\n")}, Message: "m"}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_DIR", "")
	os.Unsetenv("GIT_DIR")
	os.Unsetenv("GIT_INDEX_FILE")
	if got := other.git("rev-list", "--count", "--all") + s.git("rev-list", "--count", "--all"); got != "12" {
		t.Fatalf("commits: %s", got)
	}
}

func TestGitError(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]string{
		"warning: x\nfatal: detected dubious ownership in repository at '/r'\nTo add\n": "git status: detected dubious ownership in repository at '/r'",
		"something\nlast line.\nhint: do\n":                                             "git status: last line",
		"":                                                                              "git status ended with exit status 3 and said nothing",
		"hint: only\n":                                                                  "git status ended with exit status 3 and said nothing",
	} {
		if got := (&GitError{Args: []string{"status"}, ExitCode: 3, Stderr: stderr}).Error(); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestNewEnough(t *testing.T) {
	t.Parallel()
	for have, want := range map[string]bool{"2.38.0": true, "2.39.5 (Apple Git-154)": true, "2.37.9": false, "3.0": true, "1.99": false, "x": false, "2.45.windows.1": true} {
		if newEnough(have) != want {
			t.Errorf("%q", have)
		}
	}
	if text := (&VersionError{Have: "2.20.1", Want: oldestGit}).Error(); !strings.Contains(text, "2.20.1") || !strings.Contains(text, oldestGit) {
		t.Error(text)
	}
}

func TestRetry_waitsForALock(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	lock := filepath.Join(s.top, ".git", "index.lock")
	writeFile(t, lock, "")
	done := make(chan error, 1)
	go func() {
		_, _, err := s.CommitFiles(context.Background(), CommitOptions{Files: []File{file("a.txt", "a\n")}, Message: "m"})
		done <- err
	}()
	s.awaitCommits(2)
	if got := s.git("rev-list", "--count", "HEAD"); got != "1" {
		t.Error("the ref moved before the index could follow")
	}
	if err := os.Remove(lock); err != nil {
		t.Error("the lock of another was removed")
	}
	if err := <-done; err != nil || s.git("diff", "--cached") != "" || s.git("rev-list", "--count", "HEAD") != "2" {
		t.Fatal(err)
	}
}

// awaitCommits waits until the repository holds so many commit objects, reached or not.
func (s *sandbox) awaitCommits(want int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for strings.Count(s.git("cat-file", "--batch-all-objects", "--batch-check"), " commit ") < want {
		if !pause(ctx, 5*time.Millisecond) {
			s.t.Fatalf("no %d commits", want)
		}
	}
}
