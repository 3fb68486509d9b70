package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/journal"
	"chant/engine/store"
	"chant/gitops"
	"chant/gitops/lockfile"
)

// SpareTree begins the name of every worktree that is kept for a run to come.
const SpareTree = ".spare-"

// shelf is the place of one spare tree, held: no one else puts one there or takes it.
type shelf struct {
	path string
	lock *lockfile.Lock
}

// holdShelf takes a place among the spare trees; nil when another process has it.
func (t *Trees) holdShelf(n int) (*shelf, error) {
	name := fmt.Sprintf("%s%d", SpareTree, n)
	path, err := t.TreePath(name)
	if err != nil {
		return nil, err
	}
	turn, err := t.Store.Local(store.Locks, name+".lock")
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.Acquire(turn, "spare "+t.Job.ID)
	var taken *lockfile.HeldError
	if errors.As(err, &taken) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &shelf{path, lock}, nil
}

// eachShelf tries the places one after the other until use says that it is done.
func (t *Trees) eachShelf(use func(*shelf) (bool, error)) (bool, error) {
	for n := 1; n <= t.Settings.Spares; n++ {
		s, err := t.holdShelf(n)
		if err != nil {
			return false, err
		}
		if s == nil {
			continue
		}
		done, err := use(s)
		if err = errors.Join(err, s.lock.Release()); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// setBy puts the tree of a landed run by for the next one. False when there is no
// place for it, something about it is particular, or it cannot be moved; it is then
// removed as ever. What it held has been kept before.
func (t *Trees) setBy(ctx context.Context, tree string) bool {
	if !t.Settings.Recycle || !t.Landed {
		return false
	}
	why, err := t.Repo.Particular(ctx, tree)
	if err == nil && why != "" {
		t.Announce(journal.Clean, "step", "the worktree cannot be used again: %s", why)
		return false
	}
	kept := false
	if err == nil {
		kept, err = t.eachShelf(func(s *shelf) (bool, error) { return t.shelve(ctx, tree, s) })
	}
	if err != nil {
		t.Announce(journal.Clean, "warning", "the worktree could not be kept for the next run: %s", err)
	}
	return kept
}

// shelve moves a tree to a place that is free, off its branch and clean: what git shows
// in it later, someone has made since.
func (t *Trees) shelve(ctx context.Context, tree string, s *shelf) (bool, error) {
	if _, err := os.Lstat(s.path); err == nil {
		return false, nil
	}
	head, err := t.Repo.Head(ctx, tree)
	if err == nil {
		err = t.Repo.SwitchTree(ctx, tree, head.Hash)
	}
	if err == nil {
		err = t.Repo.MoveWorktree(ctx, tree, s.path)
	}
	return err == nil, err
}

// takeSpare makes the run's tree of a spare one: it gets the branch's files where it
// stands, and is moved only when git shows nothing else in it. So at the run's own
// place there is never half of one. False when there is none that can be used.
func (t *Trees) takeSpare(ctx context.Context, path string) (bool, error) {
	if !t.Settings.Recycle {
		return false, nil
	}
	took, err := t.eachShelf(func(s *shelf) (bool, error) {
		if !t.Whole(s.path) {
			return false, nil
		}
		if err := t.vacant(ctx, s.path); err != nil {
			t.Announce(journal.Worktree, "warning", "the spare worktree %q is not used and stays as it is: %s", s.path, err)
			return false, ctx.Err()
		}
		if err := t.fill(ctx, s.path, path); err != nil {
			t.Announce(journal.Worktree, "warning", "a spare worktree cannot be used and goes: %s", err)
			return false, errors.Join(ctx.Err(), DropTree(context.WithoutCancel(ctx), t.Repo, s.path))
		}
		return true, nil
	})
	if err != nil || !took {
		return false, err
	}
	t.recycled = true
	t.Announce(journal.Worktree, "step", "took a spare worktree")
	return true, t.Repo.Attach(ctx, path, t.Job.Branch)
}

// vacant makes sure that a spare tree can be given away: what someone has made in it
// since it was put by is kept, and one that could hide something is refused. A lock on
// its index was left by a process that was killed, for we hold its shelf.
func (t *Trees) vacant(ctx context.Context, spare string) error {
	if _, err := t.Repo.BreakLock(spare); err != nil {
		return err
	}
	if why, err := t.Repo.Particular(ctx, spare); err != nil || why != "" {
		return errors.Join(err, fmt.Errorf("%q is particular in %s", filepath.Base(spare), why))
	}
	if nested, err := t.Repo.NestedRepositories(ctx, spare); err != nil || len(nested) > 0 {
		return errors.Join(err, fmt.Errorf("it holds repositories of its own: %s", strings.Join(nested, ", ")))
	}
	return t.save(ctx, spare, "What lay in a spare worktree.")
}

// fill gives a spare tree the files of the run's branch and moves it to its place.
func (t *Trees) fill(ctx context.Context, spare, path string) error {
	if err := t.Repo.SwitchTree(ctx, spare, "refs/heads/"+t.Job.Branch); err != nil {
		return err
	}
	return t.Repo.MoveWorktree(ctx, spare, path)
}

// heal puts right what a process that was killed while it took a spare tree has left
// at the run's place: a tree that is registered elsewhere, or is not on the branch
// yet. No agent has been in it.
func (t *Trees) heal(ctx context.Context) error {
	path, err := t.TreePath(t.Job.ID)
	if err != nil || !t.Settings.Recycle || !t.Whole(path) {
		return err
	}
	if repaired, err := t.Repo.RepairWorktree(ctx, path); err != nil {
		return err
	} else if repaired {
		return t.RemoveTree(ctx)
	}
	head, err := t.Repo.Head(ctx, path)
	if err != nil || head.Branch != "" {
		return nil //nolint:nilerr // an agent has broken it: for the steps to see
	}
	err = t.Repo.Attach(ctx, path, t.Job.Branch)
	if errors.Is(err, gitops.ErrChanged) {
		return nil // an agent has gone elsewhere
	}
	return err
}
