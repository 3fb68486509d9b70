package lockfile

import (
	"context"
	"testing"

	"github.com/alecthomas/assert/v2"
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
	assert.True(t, can((*flock.Flock).TryRLock), "an add must keep out prunes and let in adds")
	assert.False(t, can((*flock.Flock).TryLock), "an add must keep out prunes and let in adds")
	leave()
	leave = turns.Pruning(ctx)
	assert.False(t, can((*flock.Flock).TryRLock), "a prune must be alone")
	assert.False(t, can((*flock.Flock).TryLock), "a prune must be alone")
	leave()
	assert.True(t, can((*flock.Flock).TryLock), "the turn was not given back")
}
