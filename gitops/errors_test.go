package gitops

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// What git prints must not show through in what people read.
func TestFastForward_message(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(s *sandbox)
		want    string // with the top as TOP
	}{
		"edited":    {func(s *sandbox) { s.write("base.txt", "mine\n") }, `local changes to "base.txt" are in the way`},
		"untracked": {func(s *sandbox) { s.write("new.txt", "mine\n") }, `local changes to "new.txt" are in the way`},
		"both":      {func(s *sandbox) { s.write("new.txt", "mine\n"); s.write("base.txt", "mine\n") }, `local changes to "base.txt", "new.txt" are in the way`},
		"merging":   {func(s *sandbox) { s.git("merge", "-q", "--no-ff", "--no-commit", "side") }, `a merge is under way in "TOP"`},
		"rebasing":  {func(s *sandbox) { s.write(".git/rebase-merge/head-name", "refs/heads/x\n") }, `a rebase is under way in "TOP"`},
		"detached":  {func(s *sandbox) { s.git("checkout", "-q", "--detach") }, `HEAD is detached in "TOP"`},
		"diverged":  {func(s *sandbox) { s.git("commit", "-q", "--allow-empty", "-m", "ahead") }, `branch "trunk" has commits that "side" does not have`},
		"unmerged":  {func(s *sandbox) { s.conflict(); s.remove(".git/MERGE_HEAD") }, `files in "TOP" are unmerged`},
	} {
		s, _ := forked(t)
		c.prepare(s)
		err := s.FastForward(t.Context(), s.top, "side")
		assert.Error(t, err, "%s", name)
		assert.Equal(t, c.want, strings.ReplaceAll(err.Error(), s.top, "TOP"), "%s", name)
	}
}

func TestCommitAll_refusedWithoutAWord(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell hook")
	}
	s := newSandbox(t)
	path := filepath.Join(s.top, ".git", "hooks", "reference-transaction")
	writeFile(t, path, "#!/bin/sh\nexit 1\n")
	assert.NoError(t, os.Chmod(path, 0o755))
	s.write("a.txt", "a\n")
	_, err := s.CommitAll(t.Context(), s.top, "m")
	assert.Error(t, err)
	assert.HasPrefix(t, err.Error(), "git update-ref: ")
}
