package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"chant/gitops/gitexec"
)

func TestRun_cancelEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell hook and a fifo")
	}
	s := newSandbox(t)
	// The hook says that it runs, then waits for what never comes.
	hook := "#!/bin/sh\n[ $1 = prepared ] || exit 0\nprintf x > '" + filepath.Join(s.top, "started") + "'\nexec sleep 600\n"
	writeFile(t, filepath.Join(s.top, ".git", "hooks", "reference-transaction"), hook)
	if err := os.Chmod(filepath.Join(s.top, ".git", "hooks", "reference-transaction"), 0o755); err != nil {
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
	if !gone(filepath.Join(s.top, ".git", "index.lock")) || !gone(filepath.Join(s.top, ".git", "refs", "heads", "main.lock")) {
		t.Error("a lock file was left behind")
	}
}

func TestRun_limit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	_, err := s.Repo.git.Run(t.Context(), gitexec.Call{Dir: s.top, Settings: []string{"alias.forever=!exec sleep 600"}, Args: []string{"forever"}, Limit: time.Millisecond})
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
