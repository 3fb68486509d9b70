package tree

import (
	"context"

	"chant/engine/journal"
)

// TakeBack ends a merge or rebase of ours that did not get to its end, in this
// process or in one that was killed. What lies in the tree is kept first, and the
// tree is then as clean as tidy had made it.
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

// caughtUp reports whether what is under way in the tree may be of our doing.
func (t *Trees) caughtUp() bool {
	if t.Catching {
		return true
	}
	last := t.History.Last()
	return last != nil && (last.HalfDone(journal.Rebase) || last.HalfDone(journal.Resolve))
}
