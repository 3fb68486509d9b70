package gitops

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

func TestAttach(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	tree := filepath.Join(t.TempDir(), "tree")
	s.git("branch", "side")
	s.git("worktree", "add", "-q", "--detach", tree, "side")
	if err := s.Attach(ctx, tree, "side"); err != nil {
		t.Fatal(err)
	}
	if head := must[Head](t)(s.Head(ctx, tree)); head.Branch != "side" {
		t.Errorf("attached head %+v", head)
	}
	s.git("commit", "-q", "--allow-empty", "-m", "elsewhere")
	s.git("branch", "other")
	if err := s.Attach(ctx, tree, "other"); !errors.Is(err, ErrChanged) {
		t.Errorf("a branch that is elsewhere: %v", err)
	}
	if err := s.Attach(ctx, tree, "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no such branch: %v", err)
	}
}
