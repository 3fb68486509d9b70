package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// forked has a branch "side" that changes base.txt and adds new.txt, and trunk checked out.
func forked(t *testing.T) (s *sandbox, side string) {
	s = newSandbox(t)
	ctx := context.Background()
	side = must[string](t)(s.CommitOn(ctx, "trunk", []File{file("base.txt", "side\n"), file("new.txt", "new\n")}, "side"))
	assert.NoError(t, s.UpdateRef(ctx, "refs/heads/side", side, "", "test"))
	return s, side
}

func TestFastForward(t *testing.T) {
	t.Parallel()
	s, side := forked(t)
	s.write("sub/deep/file.txt", "a person's edit\n")
	assert.NoError(t, s.FastForward(context.Background(), s.Home(), side))
	got := s.git("status", "--porcelain")
	assert.Equal(t, " M sub/deep/file.txt", got)
	assert.Equal(t, side, s.git("rev-parse", "trunk"))
	assert.NoError(t, s.FastForward(context.Background(), s.Home(), "side"))
}

func TestFastForward_refused(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		prepare func(s *sandbox)
		files   []string
	}{
		"dirty":     {func(s *sandbox) { s.write("base.txt", "mine\n") }, []string{"base.txt"}},
		"staged":    {func(s *sandbox) { s.write("base.txt", "mine\n"); s.git("add", "base.txt") }, []string{"base.txt"}},
		"untracked": {func(s *sandbox) { s.write("new.txt", "mine\n") }, []string{"new.txt"}},
		"both":      {func(s *sandbox) { s.write("new.txt", "mine\n"); s.write("base.txt", "mine\n") }, []string{"base.txt", "new.txt"}},
		"ignored": {func(s *sandbox) {
			s.write(".git/info/exclude", "new.txt\n")
			s.write("new.txt", "mine\n")
		}, []string{"new.txt"}},
		"merging":  {func(s *sandbox) { s.git("merge", "-q", "--no-ff", "--no-commit", "side") }, nil},
		"rebasing": {func(s *sandbox) { s.write(".git/rebase-merge/head-name", "refs/heads/x\n") }, nil},
		"detached": {func(s *sandbox) { s.git("checkout", "-q", "--detach") }, nil},
		"diverged": {func(s *sandbox) { s.git("commit", "-q", "--allow-empty", "-m", "ahead") }, nil},
		"assumed": {func(s *sandbox) {
			s.git("update-index", "--assume-unchanged", "base.txt")
			s.write("base.txt", "mine, of another length\n")
		}, []string{"base.txt"}},
		"skipped": {func(s *sandbox) {
			s.git("update-index", "--skip-worktree", "base.txt")
			s.write("base.txt", "mine, of another length\n")
		}, []string{"base.txt"}},
		"intended":  {func(s *sandbox) { s.write("new.txt", "mine\n"); s.git("add", "-N", "new.txt") }, []string{"new.txt"}},
		"autostash": {func(s *sandbox) { s.git("config", "merge.autoStash", "true"); s.write("base.txt", "mine\n") }, []string{"base.txt"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, side := forked(t)
			c.prepare(s)
			state := func() string {
				text, _ := os.ReadFile(filepath.Join(s.top, "new.txt"))
				return s.git("status", "--porcelain=v2", "--branch", "--ignored") + s.git("diff") + s.git("diff", "--cached") + s.git("rev-parse", "HEAD") + string(text)
			}
			before := state()
			err := s.FastForward(ctx, s.Home(), side)
			var conflict *ConflictError
			assert.True(t, errors.As(err, &conflict), "%v", err)
			assert.NotEqual(t, "", conflict.Msg)
			slices.Sort(conflict.Files)
			assert.Equal(t, c.files, conflict.Files)
			assert.Equal(t, before, state())
		})
	}
}

// TestMergeTree_secures: git merges the bases of a merge first where there are several, and reads them from packs as well.
func TestMergeTree_secures(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	commit := func(branch, file string) {
		s.git("switch", "-q", branch)
		s.write(file, branch+"\n")
		s.git("add", "-A")
		s.git("commit", "-q", "-m", file)
	}
	s.git("branch", "a")
	s.git("branch", "b")
	for i := range 3 {
		commit("a", fmt.Sprintf("a%d", i))
		commit("b", fmt.Sprintf("b%d", i))
		a := s.git("rev-parse", "a")
		s.git("merge", "-q", "--no-edit", a)
		s.git("switch", "-q", "a")
		s.git("merge", "-q", "--no-edit", "b^1")
	}
	commit("a", "last a")
	commit("b", "last b")
	bases := strings.Fields(s.git("merge-base", "--all", "a", "b"))
	assert.Equal(t, 2, len(bases))
	m := must[Merge](t)(s.MergeTree(t.Context(), "a", "b"))
	assert.Zero(t, m.Conflicts)
	for _, commit := range append(bases, strings.Fields(s.git("merge-base", "--all", bases[0], bases[1]))...) {
		for hash := range strings.FieldsSeq(s.git("rev-list", "--objects", "--no-object-names", "--no-walk", commit)) {
			_, err := os.Lstat(filepath.Join(s.top, ".git", "objects", hash[:2], hash[2:]))
			assert.IsError(t, err, os.ErrNotExist)
		}
	}
}

func TestMergeTree_conflicts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, side := forked(t)
	s.write("base.txt", "ours\n")
	s.write("new.txt", "ours\n")
	s.git("add", "-A")
	s.git("commit", "-qm", "ours")
	m := must[Merge](t)(s.MergeTree(ctx, "trunk", side))
	assert.Equal(t, 2, len(m.Conflicts))
	assert.Equal(t, "base.txt", m.Conflicts[0].Path)
	assert.Equal(t, "new.txt", m.Conflicts[1].Path)
	assert.Equal(t, "", m.Conflicts[1].Base)
	for hash, want := range map[string]string{m.Conflicts[0].Base: "base\n", m.Conflicts[0].Ours: "ours\n", m.Conflicts[0].Theirs: "side\n"} {
		assert.Equal(t, want, string(must[[]byte](t)(s.ReadBlob(ctx, hash))))
	}
	resolved := must[string](t)(s.WriteTree(ctx, m.Tree, []File{file("base.txt", "both\n"), file("new.txt", "both\n")}))
	landed := must[string](t)(s.CommitTree(ctx, resolved, []string{s.git("rev-parse", "trunk"), side}, "land"))
	err := s.FastForward(ctx, s.Home(), landed)
	assert.NoError(t, err)
	assert.Equal(t, "", s.git("status", "--porcelain"))
}

func TestMergeTree_specDriverStaysOut(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSandbox(t)
	s.write(".gitattributes", "*.md merge=chant-spec\n")
	s.git("config", "merge.chant-spec.driver", "exit 0")
	s.write("a.md", "1\n2\n3\n4\n5\n6\n7\n")
	s.git("add", "-A")
	s.git("commit", "-qm", "spec")
	side := must[string](t)(s.CommitOn(ctx, "trunk", []File{file("a.md", "x\n2\n3\n4\n5\n6\n7\n")}, "side"))
	s.commit("a.md", "1\n2\n3\n4\n5\n6\ny\n")
	m := must[Merge](t)(s.MergeTree(ctx, "trunk", side))
	assert.Equal(t, 1, len(m.Conflicts), "%+v", m)
}

func TestMergeTree_unrelated(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	other := must[string](t)(s.CommitTree(ctx, s.git("rev-parse", "HEAD^{tree}"), nil, "root"))
	var conflict *ConflictError
	_, err := s.MergeTree(ctx, "trunk", other)
	assert.True(t, errors.As(err, &conflict), "%v", err)
	_, err = s.MergeBase(ctx, "trunk", other)
	assert.IsError(t, err, ErrNotFound)
}
