package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestFastForward_mergeSettings has settings that make "git merge" do something else: none
// of them changes what a fast-forward is.
func TestFastForward_mergeSettings(t *testing.T) {
	t.Parallel()
	for key, value := range map[string]string{
		"pull.twohead": "ours", "branch.trunk.mergeOptions": "-s ours", "merge.ff": "false", "merge.autoStash": "true",
		"merge.default": "nothing", "merge.verifySignatures": "true", "pull.rebase": "true", "core.hooksPath": "nowhere",
	} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			s, side := forked(t)
			s.git("config", key, value)
			assert.NoError(t, s.FastForward(t.Context(), s.Home(), side))
			assert.Equal(t, side, s.git("rev-parse", "trunk"))
			assert.Equal(t, "", s.git("status", "--porcelain"))
		})
	}
}

// TestBeginMerge_mergeSettings does the same for a merge with two sides.
func TestBeginMerge_mergeSettings(t *testing.T) {
	t.Parallel()
	for key, value := range map[string]string{"pull.twohead": "ours", "branch.trunk.mergeOptions": "-s ours"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			s, side := forked(t)
			s.git("commit", "-q", "--allow-empty", "-m", "ahead")
			s.git("config", key, value)
			_, err := s.BeginMerge(t.Context(), s.Home(), side)
			assert.NoError(t, err)
			assert.Equal(t, "new", s.git("show", ":new.txt"), "the merge drops new.txt")
		})
	}
}

// TestFastForward_refMoves puts index and files back when the branch cannot follow them.
func TestFastForward_refMoves(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell hook")
	}
	s, side := forked(t)
	s.write("sub/deep/file.txt", "mine\n")
	before := s.git("status", "--porcelain") + s.git("rev-parse", "HEAD")
	hook := filepath.Join(s.top, ".git", "hooks", "reference-transaction")
	writeFile(t, hook, "#!/bin/sh\ngrep -q refs/heads/trunk && exit 1\nexit 0\n")
	assert.NoError(t, os.Chmod(hook, 0o755))
	assert.Error(t, s.FastForward(t.Context(), s.Home(), side), "no error")
	assert.Equal(t, before, s.git("status", "--porcelain")+s.git("rev-parse", "HEAD"))
}

// TestFastForward_killed completes what a process that was killed has begun.
func TestFastForward_killed(t *testing.T) {
	t.Parallel()
	s, side := forked(t)
	s.git("read-tree", "-m", "-u", "HEAD", side)
	assert.NoError(t, s.FastForward(t.Context(), s.Home(), side))
	got := s.git("status", "--porcelain")
	assert.Equal(t, "", got)
	assert.Equal(t, side, s.git("rev-parse", "trunk"))
}

// TestFastForward_ignored keeps ignored files that are in the way in any form.
func TestFastForward_ignored(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"a folder for a file": "new.txt/mine", "a file for a folder": "dir", "a file": "dir/new.txt"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := forked(t)
			ctx := context.Background()
			next := must[string](t)(s.CommitOn(ctx, "side", []File{file("dir/new.txt", "new\n")}, "next"))
			s.write(".git/info/exclude", "/new.txt\n/dir\n")
			s.write(path, "mine\n")
			err := s.FastForward(ctx, s.Home(), next)
			var conflict *ConflictError
			assert.True(t, errors.As(err, &conflict), "%v", err)
			assert.Equal(t, 1, len(conflict.Files))
			assert.Equal(t, path, conflict.Files[0])
			assert.NotEqual(t, next, s.git("rev-parse", "trunk"), "trunk moved")
		})
	}
}

// TestFastForward_touched takes a file whose content is the committed one for unedited.
func TestFastForward_touched(t *testing.T) {
	t.Parallel()
	s, side := forked(t)
	s.write("base.txt", "other\n")
	s.write("base.txt", s.git("show", "HEAD:base.txt")+"\n")
	assert.NoError(t, s.FastForward(t.Context(), s.Home(), side))
	assert.Equal(t, "", s.git("status", "--porcelain"))
}

// TestFastForward_brokenOff has git fail while it writes files: what it has written is taken back, and what another program
// has written meanwhile stays.
func TestFastForward_brokenOff(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell filter")
	}
	s, _ := forked(t)
	s.write("changed.txt", "old\n")
	s.write("removed.txt", "old\n")
	s.write(".gitattributes", "*.bad filter=broken\n")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "before")
	s.git("checkout", "-q", "-b", "next")
	s.write("changed.txt", "new\n")
	s.write("folder/below/added.txt", "new\n")
	s.write("folder/below/other.txt", "new\n")
	s.write("z.bad", "new\n")
	s.git("rm", "-q", "removed.txt")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "next")
	next := s.git("rev-parse", "next")
	s.git("checkout", "-q", "trunk")
	before := s.git("rev-parse", "trunk")
	s.git("config", "filter.broken.required", "true")
	s.git("config", "filter.broken.smudge", "test -e folder/below/added.txt && test ! -e removed.txt && : > .git/reached; echo mine > folder/below/other.txt; exit 1")
	err := s.FastForward(t.Context(), s.Home(), next)
	git, ok := errors.AsType[*GitError](err)
	assert.True(t, ok, "%v", err)
	assert.NotEqual(t, "", git.Dir, "%v", err)
	_, err = os.Stat(filepath.Join(s.Home(), ".git", "reached"))
	assert.NoError(t, err, "git failed before it had written anything")
	assert.Equal(t, before, s.git("rev-parse", "trunk"))
	assert.Equal(t, "?? folder/below/other.txt", s.git("status", "--porcelain", "--untracked-files=all"))
	s.git("config", "--unset", "filter.broken.smudge")
	s.git("config", "--unset", "filter.broken.required")
	assert.NoError(t, os.RemoveAll(filepath.Join(s.Home(), "folder")))
	if err := s.FastForward(t.Context(), s.Home(), next); err != nil || s.git("status", "--porcelain") != "" {
		t.Errorf("afterwards: %v, %q", err, s.git("status", "--porcelain"))
	}
}
