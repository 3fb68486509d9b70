package run

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

// shelf is the place of one spare tree, held: nobody else puts one there or takes it.
type shelf struct {
	path string
	lock *lockfile.Lock
}

// holdShelf takes a place among the spare trees; nil when another process has it.
func (r *Run) holdShelf(n int) (*shelf, error) {
	name := fmt.Sprintf("%s%d", SpareTree, n)
	path, err := r.treePath(name)
	if err != nil {
		return nil, err
	}
	turn, err := r.Store.Local(store.Locks, name+".lock")
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.Acquire(turn, "spare "+r.Job.ID)
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
func (r *Run) eachShelf(use func(*shelf) (bool, error)) (bool, error) {
	for n := 1; n <= r.Settings.Spares; n++ {
		s, err := r.holdShelf(n)
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
func (r *Run) setBy(ctx context.Context, tree string) bool {
	if !r.Settings.Recycle || !r.Landed {
		return false
	}
	why, err := r.Repo.Particular(ctx, tree)
	if err == nil && why != "" {
		r.emit(journal.Clean, "step", "the worktree cannot be used again: %s", why)
		return false
	}
	kept := false
	if err == nil {
		kept, err = r.eachShelf(func(s *shelf) (bool, error) { return r.shelve(ctx, tree, s) })
	}
	if err != nil {
		r.emit(journal.Clean, "warning", "the worktree could not be kept for the next run: %s", err)
	}
	return kept
}

// shelve moves a tree to a place that is free, off its branch and clean: what git shows
// in it later, somebody has made since.
func (r *Run) shelve(ctx context.Context, tree string, s *shelf) (bool, error) {
	if _, err := os.Lstat(s.path); err == nil {
		return false, nil
	}
	head, err := r.Repo.Head(ctx, tree)
	if err == nil {
		err = r.Repo.SwitchTree(ctx, tree, head.Hash)
	}
	if err == nil {
		err = r.Repo.MoveWorktree(ctx, tree, s.path)
	}
	return err == nil, err
}

// takeSpare makes the run's tree of a spare one: it gets the branch's files where it
// stands, and is moved only when git shows nothing else in it. So at the run's own
// place there is never half of one. False when there is none that can be used.
func (r *Run) takeSpare(ctx context.Context, path string) (bool, error) {
	if !r.Settings.Recycle {
		return false, nil
	}
	took, err := r.eachShelf(func(s *shelf) (bool, error) {
		if !r.whole(s.path) {
			return false, nil
		}
		if err := r.vacant(ctx, s.path); err != nil {
			r.emit(journal.Worktree, "warning", "the spare worktree %q is not used and stays as it is: %s", s.path, err)
			return false, ctx.Err()
		}
		if err := r.fill(ctx, s.path, path); err != nil {
			r.emit(journal.Worktree, "warning", "a spare worktree cannot be used and goes: %s", err)
			return false, errors.Join(ctx.Err(), dropTree(context.WithoutCancel(ctx), r.Repo, s.path))
		}
		return true, nil
	})
	if err != nil || !took {
		return false, err
	}
	r.recycled = true
	r.emit(journal.Worktree, "step", "took a spare worktree")
	return true, r.Repo.Attach(ctx, path, r.Job.Branch)
}

// vacant makes sure that a spare tree can be given away: what somebody has made in it
// since it was put by is kept, and one that could hide something is refused. A lock on
// its index was left by a process that was killed, for we hold its shelf.
func (r *Run) vacant(ctx context.Context, spare string) error {
	if _, err := r.Repo.BreakLock(spare); err != nil {
		return err
	}
	if why, err := r.Repo.Particular(ctx, spare); err != nil || why != "" {
		return errors.Join(err, fmt.Errorf("%q is particular in %s", filepath.Base(spare), why))
	}
	if nested, err := r.Repo.NestedRepositories(ctx, spare); err != nil || len(nested) > 0 {
		return errors.Join(err, fmt.Errorf("it holds repositories of its own: %s", strings.Join(nested, ", ")))
	}
	return r.save(ctx, spare, "What lay in a spare worktree.")
}

// fill gives a spare tree the files of the run's branch and moves it to its place.
func (r *Run) fill(ctx context.Context, spare, path string) error {
	if err := r.Repo.SwitchTree(ctx, spare, "refs/heads/"+r.Job.Branch); err != nil {
		return err
	}
	return r.Repo.MoveWorktree(ctx, spare, path)
}

// heal puts right what a process that was killed while it took a spare tree has left
// at the run's place: a tree that is registered elsewhere, or is not on the branch
// yet. No agent has been in it.
func (r *Run) heal(ctx context.Context) error {
	path, err := r.treePath(r.Job.ID)
	if err != nil || !r.Settings.Recycle || !r.whole(path) {
		return err
	}
	if repaired, err := r.Repo.RepairWorktree(ctx, path); err != nil {
		return err
	} else if repaired {
		return r.removeTree(ctx)
	}
	head, err := r.Repo.Head(ctx, path)
	if err != nil || head.Branch != "" {
		return nil //nolint:nilerr // an agent has broken it: for the steps to see
	}
	err = r.Repo.Attach(ctx, path, r.Job.Branch)
	if errors.Is(err, gitops.ErrChanged) {
		return nil // an agent has gone elsewhere
	}
	return err
}
