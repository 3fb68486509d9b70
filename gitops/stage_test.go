package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"chant/gitops/layout"

	"github.com/alecthomas/assert/v2"
)

// hook installs a script that git runs whenever a ref moves, with the state as $1.
func (s *sandbox) hook(body string) {
	s.t.Helper()
	if runtime.GOOS == "windows" {
		s.t.Skip("needs a shell hook")
	}
	path := filepath.Join(s.top, ".git", "hooks", "reference-transaction")
	writeFile(s.t, path, "#!/bin/sh\n"+body+"\n")
	if err := os.Chmod(path, 0o755); err != nil {
		s.t.Fatal(err)
	}
}

// state is all that a commit that was not made must leave as it was.
func state(t *testing.T, dir string) string {
	t.Helper()
	return gitIn(t, dir, "rev-parse", "HEAD") + gitIn(t, dir, "status", "--porcelain=v2", "-z") +
		gitIn(t, dir, "ls-files", "--stage", "-t", "-z") + gitIn(t, dir, "diff")
}

func TestCommitFiles_notMoved(t *testing.T) {
	t.Parallel()
	for name, files := range map[string][]File{
		"change":            {file("base.txt", "new\n")},
		"addition":          {file("new/a.txt", "new\n"), file("new/b.txt", "new\n")},
		"removal":           {{Path: "sub/deep/file.txt"}},
		"file for folder":   {file("sub", "new\n")},
		"folder for file":   {file("base.txt/in/it", "new\n")},
		"several":           {{Path: "base.txt"}, file("sub/deep/file.txt", "new\n"), file("a", "new\n")},
		"removal of folder": {{Path: "sub"}, {Path: "base.txt/none"}, file("a", "new\n")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write("other.txt", "staged\n")
			s.git("add", "other.txt")
			s.write("other.txt", "edited\n")
			linked := filepath.Join(t.TempDir(), "linked")
			s.git("worktree", "add", "-q", "--force", linked, "trunk")
			before := state(t, s.top) + state(t, linked)
			s.hook(`[ "$1" = prepared ] && exit 1; exit 0`)
			_, changed, err := s.CommitFiles(context.Background(), CommitOptions{Files: files, Message: "m"})
			var failed *GitError
			assert.False(t, changed, "changed %v, %v", changed, err)
			assert.True(t, errors.As(err, &failed), "changed %v, %v", changed, err)
			assert.NotContains(t, err.Error(), "keeps what was not committed")
			assert.Equal(t, before, state(t, s.top)+state(t, linked))
		})
	}
}

func TestCommitFiles_notMovedSparse(t *testing.T) {
	t.Parallel()
	s := oddAfter("sparse-checkout", "set", "--no-cone", "/base.txt")(t)
	before := state(t, s.top)
	s.hook(`[ "$1" = prepared ] && exit 1; exit 0`)
	files := []File{file("sub/deep/file.txt", "two\n"), file("base.txt", "two\n")}
	_, _, err := s.CommitFiles(context.Background(), CommitOptions{Files: files, Message: "m"})
	assert.Error(t, err, "no error")
	assert.Equal(t, before, state(t, s.top))
}

// Who is followed by another at once has the entries of the other.
func TestCommitFiles_followedByAnother(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	theirs := must[string](t)(s.CommitOn(ctx, "trunk", []File{file("base.txt", "theirs\n")}, "theirs"))
	s.hook(`[ "$1" = committed ] && [ ! -e .git/once ] || exit 0; echo x > .git/once; echo ` + theirs + ` > .git/refs/heads/trunk`)
	_, _, err := s.CommitFiles(ctx, CommitOptions{Files: []File{file("base.txt", "ours\n")}, Message: "ours"})
	assert.NoError(t, err)
	got := s.git("diff", "--cached", "--name-status")
	assert.Equal(t, "", got, "the index differs from the branch")
	assert.Equal(t, theirs, s.git("rev-parse", "HEAD"), "the index differs from the branch")
}

func TestCommitFiles_canceledWhileMoving(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	before := state(t, s.top)
	s.hook(`[ "$1" = prepared ] || exit 0; echo x > .git/waiting; exec sleep 600`)
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := errors.New("stopped by a person")
	ended := make(chan error, 1)
	go func() {
		_, _, err := s.CommitFiles(ctx, CommitOptions{Files: []File{file("base.txt", "new\n")}, Message: "m"})
		ended <- err
	}()
	awaitFile(t, filepath.Join(s.top, ".git", "waiting"))
	assert.Equal(t, "base.txt", s.git("diff", "--cached", "--name-only"), "staged before the ref moves")
	cancel(stopped)
	assert.IsError(t, <-ended, stopped)
	assert.Equal(t, before, state(t, s.top))
}

func TestCommitFiles_indexLocked(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	linked := filepath.Join(layout.RealPath(t.TempDir()), "linked")
	s.git("worktree", "add", "-q", "--force", linked, "trunk")
	before := state(t, s.top) + state(t, linked)
	s.Repo.git.Patience = time.Millisecond
	for _, gitDir := range []string{filepath.Join(s.top, ".git"), filepath.Join(s.top, ".git", "worktrees", "linked")} {
		lock := filepath.Join(gitDir, "index.lock")
		writeFile(t, lock, "")
		_, _, err := s.CommitFiles(context.Background(), CommitOptions{Files: []File{file("base.txt", "new\n")}, Message: "m"})
		failed, ok := errors.AsType[*GitError](err)
		assert.True(t, ok, "%q: %v", lock, err)
		assert.Equal(t, lock, failed.LockFile())
		assert.Contains(t, err.Error(), "still exists after ")
		assert.NoError(t, os.Remove(lock), "the lock did not stay")
		assert.Equal(t, before, state(t, s.top)+state(t, linked), "%q: before", lock)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := s.CommitFiles(ctx, CommitOptions{Files: []File{file("base.txt", "new\n")}, Message: "m"})
	assert.IsError(t, err, context.Canceled)
}

// A commit that finds its content there already, made by another, is none.
func TestCommitFiles_madeByAnother(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	files := []File{file("base.txt", "same\n")}
	theirs := must[string](t)(s.CommitOn(ctx, "trunk", files, "theirs"))
	s.write("base.txt", "same\n")
	s.hook(`[ "$1" = prepared ] && [ ! -e .git/once ] || exit 0; echo x > .git/once; echo ` + theirs + ` > .git/refs/heads/trunk; exit 1`)
	hash, changed, err := s.CommitFiles(ctx, CommitOptions{Files: files, Message: "ours"})
	assert.Equal(t, theirs, hash)
	assert.False(t, changed, "%q, %v, %v", hash, changed, err)
	assert.NoError(t, err)
	assert.Equal(t, "", s.git("status", "--porcelain"))
}

func awaitFile(t *testing.T, path string) {
	t.Helper()
	ctx := timeout(t)
	for gone(path) {
		assert.True(t, pause(ctx, 5*time.Millisecond), "%q never came", path)
	}
}
