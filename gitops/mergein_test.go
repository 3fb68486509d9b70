package gitops

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// clashing has trunk, checked out, and "side" change the same line of base.txt.
func clashing(t *testing.T) *sandbox {
	t.Helper()
	s, _ := forked(t)
	s.write("base.txt", "ours\n")
	s.git("commit", "-q", "-a", "-m", "ours")
	return s
}

func TestBeginMerge_conflictAndBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := clashing(t)
	tip := s.git("rev-parse", "trunk")
	conflicts, err := s.BeginMerge(ctx, s.Home(), "side")
	assert.NoError(t, err)
	assert.Equal(t, []string{"base.txt"}, conflicts)
	assert.NoError(t, s.Abort(ctx, s.Home()))
	got := s.git("status", "--porcelain")
	assert.Equal(t, "", got)
	assert.Equal(t, tip, s.git("rev-parse", "HEAD"))
	assert.NoError(t, s.Abort(ctx, s.Home()), "nothing to abort")
}

func TestConcludeMerge(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := clashing(t)
	_, err := s.BeginMerge(ctx, s.Home(), "side")
	assert.NoError(t, err)
	s.write("base.txt", "ours\n") // resolved for our side, so that nothing differs in it
	hash, err := s.ConcludeMerge(ctx, s.Home(), "both")
	if err != nil || s.git("log", "-1", "--format=%s %P", hash) != "both "+s.git("rev-parse", hash+"^1")+" "+s.git("rev-parse", "side") {
		t.Errorf("commit %q, %v", hash, err)
	}
	hash, err = s.ConcludeMerge(ctx, s.Home(), "again")
	assert.Equal(t, "", hash, "without a merge")
	assert.NoError(t, err, "without a merge")
	conflicts, err := s.BeginMerge(ctx, s.Home(), "side")
	assert.NoError(t, err, "up to date: %q", conflicts)
	assert.Zero(t, conflicts, "up to date: %q", conflicts)
}

func TestRebase(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, side := forked(t)
	s.write("other.txt", "ours\n")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "ours")
	conflicts, err := s.Rebase(ctx, s.Home(), must[string](t)(s.MergeBase(ctx, "HEAD", "side")), "side")
	assert.NoError(t, err, "conflicts %q", conflicts)
	assert.Zero(t, conflicts, "conflicts %q", conflicts)
	assert.Equal(t, side, s.git("rev-parse", "trunk^"))
}

func TestRebase_conflictPutsBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := clashing(t)
	tip := s.git("rev-parse", "trunk")
	conflicts, err := s.Rebase(ctx, s.Home(), must[string](t)(s.MergeBase(ctx, "HEAD", "side")), "side")
	assert.NoError(t, err)
	assert.Equal(t, []string{"base.txt"}, conflicts)
	got := s.git("status", "--porcelain", "--branch")
	assert.Equal(t, "## trunk", got)
	assert.Equal(t, tip, s.git("rev-parse", "trunk"))
}

func TestMergeAndRebase_editsInTheWay(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := clashing(t)
	s.write("base.txt", "mine\n")
	for name, err := range map[string]error{
		"merge":  second(s.BeginMerge(ctx, s.Home(), "side")),
		"rebase": second(s.Rebase(ctx, s.Home(), must[string](t)(s.MergeBase(ctx, "HEAD", "side")), "side")),
	} {
		var conflict *ConflictError
		assert.True(t, errors.As(err, &conflict), "%s: %v", name, err)
	}
	got, err := os.ReadFile(s.Home() + "/base.txt")
	assert.NoError(t, err)
	assert.Equal(t, "mine\n", string(got))
}

func second[T any](_ T, err error) error { return err }

func TestRemoveUntracked(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write(".git/info/exclude", "kept.txt\n")
	s.write("kept.txt", "ignored\n")
	s.write("new/deep.txt", "untracked\n")
	s.write("base.txt", "changed\n")
	assert.NoError(t, s.RemoveUntracked(context.Background(), s.Home()))
	got := s.git("status", "--porcelain", "--ignored")
	assert.False(t, got != "M base.txt\n!! kept.txt" && got != " M base.txt\n!! kept.txt", "status %q", got)
}
