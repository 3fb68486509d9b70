package lockfile

import (
	"context"
	"testing"

	"github.com/gofrs/flock"
)

func TestWorktree_turns(t *testing.T) {
	t.Parallel()
	ctx, turns := context.Background(), NewTurns(t.TempDir())
	can := func(try func(*flock.Flock) (bool, error)) bool {
		lock := turns.worktreeLock()
		defer lock.Unlock()
		return must[bool](t)(try(lock))
	}
	leave := turns.Adding(ctx)
	if !can((*flock.Flock).TryRLock) || can((*flock.Flock).TryLock) {
		t.Error("an add must keep out prunes and let in adds")
	}
	leave()
	leave = turns.Pruning(ctx)
	if can((*flock.Flock).TryRLock) || can((*flock.Flock).TryLock) {
		t.Error("a prune must be alone")
	}
	leave()
	if !can((*flock.Flock).TryLock) {
		t.Error("the turn was not given back")
	}
}
