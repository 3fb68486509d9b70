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

	"github.com/alecthomas/assert/v2"
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
	assert.NoError(t, os.Chmod(filepath.Join(s.top, ".git", "hooks", "reference-transaction"), 0o755))
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
	assert.IsError(t, <-ended, stopped)
	assert.True(t, gone(filepath.Join(s.top, ".git", "index.lock")), "a lock file was left behind")
	assert.True(t, gone(filepath.Join(s.top, ".git", "refs", "heads", "main.lock")), "a lock file was left behind")
}

func TestRun_limit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	_, err := s.Repo.git.Run(t.Context(), gitexec.Call{Dir: s.top, Settings: []string{"alias.forever=!exec sleep 600"}, Args: []string{"forever"}, Limit: time.Millisecond})
	assert.IsError(t, err, context.DeadlineExceeded)
	assert.Contains(t, err.Error(), "git forever")
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
		assert.IsError(t, err, context.Canceled)
	}
}

func TestRun_insideAHook(t *testing.T) {
	s, other := newSandbox(t), newSandbox(t)
	t.Setenv("GIT_DIR", filepath.Join(other.top, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other.top, ".git", "index"))
	_, _, err := s.CommitFiles(context.Background(), CommitOptions{Files: []File{file("a.txt", "a\n")}, Message: "m"})
	assert.NoError(t, err)
	t.Setenv("GIT_DIR", "")
	os.Unsetenv("GIT_DIR")
	os.Unsetenv("GIT_INDEX_FILE")
	assert.Equal(t, "12", other.git("rev-list", "--count", "--all")+s.git("rev-list", "--count", "--all"))
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
	assert.Equal(t, "1", s.git("rev-list", "--count", "HEAD"), "the ref moved before the index could follow")
	assert.NoError(t, os.Remove(lock), "the lock of another was removed")
	err := <-done
	assert.NoError(t, err)
	assert.Equal(t, "", s.git("diff", "--cached"))
	assert.Equal(t, "2", s.git("rev-list", "--count", "HEAD"))
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
