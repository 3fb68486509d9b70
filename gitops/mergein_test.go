package gitops

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"
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
	if err != nil || !slices.Equal(conflicts, []string{"base.txt"}) {
		t.Fatalf("conflicts %q, %v", conflicts, err)
	}
	if err := s.Abort(ctx, s.Home()); err != nil {
		t.Fatal(err)
	}
	if got := s.git("status", "--porcelain"); got != "" || s.git("rev-parse", "HEAD") != tip {
		t.Errorf("after abort: %q", got)
	}
	if err := s.Abort(ctx, s.Home()); err != nil {
		t.Errorf("nothing to abort: %v", err)
	}
}

func TestConcludeMerge(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := clashing(t)
	if _, err := s.BeginMerge(ctx, s.Home(), "side"); err != nil {
		t.Fatal(err)
	}
	s.write("base.txt", "ours\n") // resolved for our side, so that nothing differs in it
	hash, err := s.ConcludeMerge(ctx, s.Home(), "both")
	if err != nil || s.git("log", "-1", "--format=%s %P", hash) != "both "+s.git("rev-parse", hash+"^1")+" "+s.git("rev-parse", "side") {
		t.Errorf("commit %q, %v", hash, err)
	}
	if hash, err := s.ConcludeMerge(ctx, s.Home(), "again"); hash != "" || err != nil {
		t.Errorf("without a merge: %q, %v", hash, err)
	}
	if conflicts, err := s.BeginMerge(ctx, s.Home(), "side"); err != nil || len(conflicts) > 0 {
		t.Errorf("up to date: %q, %v", conflicts, err)
	}
}

func TestRebase(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, side := forked(t)
	s.write("other.txt", "ours\n")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "ours")
	if conflicts, err := s.Rebase(ctx, s.Home(), must[string](t)(s.MergeBase(ctx, "HEAD", "side")), "side"); err != nil || len(conflicts) > 0 {
		t.Fatalf("conflicts %q, %v", conflicts, err)
	}
	if got := s.git("rev-parse", "trunk^"); got != side {
		t.Errorf("trunk grows from %s", got)
	}
}

func TestRebase_conflictPutsBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := clashing(t)
	tip := s.git("rev-parse", "trunk")
	conflicts, err := s.Rebase(ctx, s.Home(), must[string](t)(s.MergeBase(ctx, "HEAD", "side")), "side")
	if err != nil || !slices.Equal(conflicts, []string{"base.txt"}) {
		t.Fatalf("conflicts %q, %v", conflicts, err)
	}
	if got := s.git("status", "--porcelain", "--branch"); got != "## trunk" || s.git("rev-parse", "trunk") != tip {
		t.Errorf("status %q", got)
	}
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
		if !errors.As(err, &conflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := os.ReadFile(s.Home() + "/base.txt"); err != nil || string(got) != "mine\n" {
		t.Errorf("file %q, %v", got, err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestRemoveUntracked(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write(".git/info/exclude", "kept.txt\n")
	s.write("kept.txt", "ignored\n")
	s.write("new/deep.txt", "untracked\n")
	s.write("base.txt", "changed\n")
	if err := s.RemoveUntracked(context.Background(), s.Home()); err != nil {
		t.Fatal(err)
	}
	if got := s.git("status", "--porcelain", "--ignored"); got != "M base.txt\n!! kept.txt" && got != " M base.txt\n!! kept.txt" {
		t.Errorf("status %q", got)
	}
}
