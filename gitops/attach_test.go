package gitops

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestAttach(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	tree := filepath.Join(t.TempDir(), "tree")
	s.git("branch", "side")
	s.git("worktree", "add", "-q", "--detach", tree, "side")
	assert.NoError(t, s.Attach(ctx, tree, "side"))
	head := must[Head](t)(s.Head(ctx, tree))
	assert.Equal(t, "side", head.Branch, "attached head %+v", head)
	s.git("commit", "-q", "--allow-empty", "-m", "elsewhere")
	s.git("branch", "other")
	assert.IsError(t, s.Attach(ctx, tree, "other"), ErrChanged, "a branch that is elsewhere")
	assert.IsError(t, s.Attach(ctx, tree, "none"), ErrNotFound, "no such branch")
}
