package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/journal"
	"chant/engine/local"
	"chant/gitops"
	"chant/gitops/lockfile"
)

// SpareTree begins the name of every worktree that is kept for later runs.
const SpareTree = ".spare-"

// slot is the locked place of one spare worktree: no other process puts one there or takes it.
type slot struct {
	path string
	lock *lockfile.Lock
}

// holdSlot locks a place for a spare worktree; nil if another process holds it.
func (t *Trees) holdSlot(n int) (*slot, error) {
	name := fmt.Sprintf("%s%d", SpareTree, n)
	path, err := t.TreePath(name)
	if err != nil {
		return nil, err
	}
	turn, err := t.Store.Local(local.Locks, name+".lock")
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
	return &slot{path, lock}, nil
}

// eachSlot tries the places one after the other until use reports that it is done.
func (t *Trees) eachSlot(use func(*slot) (bool, error)) (bool, error) {
	for n := 1; n <= t.Settings.Spares; n++ {
		s, err := t.holdSlot(n)
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

// keepSpare keeps the worktree of a landed run for the next one; false if no place is free, the worktree has something
// special, or it cannot be moved. It is then removed as usual. Its content was kept before.
func (t *Trees) keepSpare(ctx context.Context, tree string) bool {
	return t.Landed && keep(ctx, t, tree, journal.Clean)
}

// keep puts a worktree without anything of its own in a free place, if worktrees of its size are kept.
func keep(ctx context.Context, t *Trees, tree string, step journal.Step) bool {
	if !t.recycles() || !t.Settings.Recycle && !Large(ctx, t.Repo, tree) {
		return false
	}
	why, err := t.Repo.Particular(ctx, tree)
	if err == nil && why != "" {
		t.Announce(step, "step", "the worktree cannot be used again: %s", why)
		return false
	}
	kept := false
	if err == nil {
		kept, err = t.eachSlot(func(s *slot) (bool, error) { return t.putInSlot(ctx, tree, s) })
	}
	if err != nil {
		t.Announce(step, "warning", "the worktree could not be kept for the next run: %s", err)
	}
	return kept
}

// putInSlot moves a worktree to a free place, off its branch and clean: changes that git shows in it later are new.
func (t *Trees) putInSlot(ctx context.Context, tree string, s *slot) (bool, error) {
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

// takeSpare makes a spare worktree the run's: it gets the branch's files in its place, and is moved only when git shows
// nothing else in it, so that the run's place never has half of it. False if none can be used.
func (t *Trees) takeSpare(ctx context.Context, path string) (bool, error) {
	if !t.recycles() || !t.anySpare() {
		return false, nil
	}
	took, err := useSpare(ctx, t, journal.Worktree, func(spare string) error { return t.fill(ctx, spare, path) })
	if err != nil || !took {
		return false, err
	}
	t.recycled = t.Settings.Recycle // else no file of the previous run is left
	t.Announce(journal.Worktree, "step", "took a spare worktree")
	return true, t.Repo.Attach(ctx, path, t.Job.Branch)
}

// useSpare gives spare worktrees to use, one after the other, until it returns no error; those with which it fails are
// removed.
func useSpare(ctx context.Context, t *Trees, step journal.Step, use func(spare string) error) (bool, error) {
	return t.eachSlot(func(s *slot) (bool, error) {
		if !t.Whole(s.path) {
			return false, nil
		}
		if err := t.checkEmpty(ctx, s.path); err != nil {
			t.Announce(step, "warning", "the spare worktree %q is not used and stays as it is: %s", s.path, err)
			return false, ctx.Err()
		}
		if err := use(s.path); err != nil {
			t.Announce(step, "warning", "a spare worktree cannot be used and goes: %s", err)
			return false, errors.Join(ctx.Err(), DropTree(context.WithoutCancel(ctx), t.Repo, s.path))
		}
		return true, nil
	})
}

// checkEmpty makes sure that a spare worktree can be given away: later changes in it are kept by a rescue ref, and one
// that could hide something is refused. A lock on its index was left by a process that was killed, since this process
// holds the slot.
func (t *Trees) checkEmpty(ctx context.Context, spare string) error {
	if _, err := t.Repo.BreakLock(spare); err != nil {
		return err
	}
	if why, err := t.Repo.Particular(ctx, spare); err != nil || why != "" {
		return errors.Join(err, fmt.Errorf("%q is particular in %s", filepath.Base(spare), why))
	}
	if nested, err := t.nested(ctx, spare); err != nil || len(nested) > 0 {
		return errors.Join(err, fmt.Errorf("it holds repositories of its own: %s", strings.Join(nested, ", ")))
	}
	return t.save(ctx, spare, "What lay in a spare worktree.")
}

// fill gives a spare worktree the files of the run's branch and moves it to the run's place.
func (t *Trees) fill(ctx context.Context, spare, path string) error {
	branch := "refs/heads/" + t.Job.Branch
	var err error
	if t.Settings.Recycle {
		err = t.Repo.SwitchTree(ctx, spare, branch)
	} else {
		err = t.Repo.RenewTree(ctx, spare, branch)
	}
	if err != nil {
		return err
	}
	return t.Repo.MoveWorktree(ctx, spare, path)
}

// repair undoes an interrupted hand-over of a spare worktree: a worktree at the run's place that is registered
// elsewhere, or is not on the branch yet. No agent has worked in it.
func (t *Trees) repair(ctx context.Context) error {
	path, err := t.TreePath(t.Job.ID)
	if err != nil || !t.recycles() || !t.Whole(path) {
		return err
	}
	if repaired, err := t.Repo.RepairWorktree(ctx, path); err != nil {
		return err
	} else if repaired {
		return t.RemoveTree(ctx)
	}
	head, err := t.Repo.Head(ctx, path)
	if err != nil || head.Branch != "" {
		return nil //nolint:nilerr // an agent has broken it, which the steps report
	}
	err = t.Repo.Attach(ctx, path, t.Job.Branch)
	if errors.Is(err, gitops.ErrChanged) {
		return nil // an agent has checked out something else
	}
	return err
}
