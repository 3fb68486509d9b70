package tree

import (
	"context"

	"chant/engine/journal"
)

// TakeBack ends a merge or rebase of chant that was not finished, by this process or by one that was killed.
// Uncommitted changes in the worktree are kept first; the worktree is then as clean as before.
func (t *Trees) TakeBack(ctx context.Context) error {
	if t.Tree == "" || !t.Whole(t.Tree) || !t.caughtUp() {
		return nil
	}
	_, underway, err := t.Repo.Unmerged(ctx, t.Tree)
	if err != nil || underway == "" {
		return err
	}
	left, err := t.Repo.Snapshot(ctx, t.Tree, t.Message("rescue", "Conflicts as far as they were resolved."))
	if err == nil && left != "" {
		err = t.rescue(ctx, left)
	}
	if err != nil {
		return err
	}
	if err := t.Repo.Abort(ctx, t.Tree); err != nil {
		return err
	}
	return t.Repo.RemoveUntracked(ctx, t.Tree)
}

// caughtUp reports whether the operation that is under way in the worktree may be chant's.
func (t *Trees) caughtUp() bool {
	if t.Catching {
		return true
	}
	last := t.History.Last()
	return last != nil && (last.HalfDone(journal.Rebase) || last.HalfDone(journal.Resolve))
}
