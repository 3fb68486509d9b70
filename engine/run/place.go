package run

import (
	"context"
	"errors"
	"os"
	"strings"

	"chant/engine/store"
	"chant/gitops"
)

// Place is where something is judged.
type Place struct {
	Dir    string // the top of a worktree
	Commit string // what it has checked out unchanged, "" when that is not known
	Tree   string // of that commit
}

// InPlace does something in a clean worktree of a commit, made for the purpose and
// removed again, or nowhere when nothing runs.
func (r *Run) InPlace(ctx context.Context, commit string, runs bool, do func(Place) error) error {
	at, err := r.Repo.ReadCommit(ctx, commit)
	if err != nil {
		return err
	}
	if !runs {
		return do(Place{Commit: at.Hash, Tree: at.Tree})
	}
	return r.inTree(ctx, commit, func(tree string) error { return do(Place{Dir: tree, Commit: at.Hash, Tree: at.Tree}) })
}

// Untouched checks that what ran in a place has changed no tracked file there, nor
// what is checked out: it would not have judged what is committed.
func (r *Run) Untouched(ctx context.Context, at Place) error {
	changed, err := r.changedIn(ctx, at, false) // a build leaves new files behind
	if err != nil || len(changed) == 0 {
		return err
	}
	return &Failure{
		Kind: Unverified, Details: changed,
		Message: "the criteria changed tracked files, so they did not judge what is committed: " + strings.Join(changed, ", "),
	}
}

// Clean reports whether a place is as it was made: only then it is good for another spec.
func (r *Run) Clean(ctx context.Context, at Place) (bool, error) {
	if at.Dir == "" {
		return true, nil
	}
	changed, err := r.changedIn(ctx, at, true)
	return len(changed) == 0, err
}

// changedIn names what in a place is not as its commit has it: what is checked out, and
// files, those that git does not know only with fresh.
func (r *Run) changedIn(ctx context.Context, at Place, fresh bool) ([]string, error) {
	head, err := r.Repo.Head(ctx, at.Dir)
	if !r.whole(at.Dir) || errors.Is(err, gitops.ErrNotRepository) {
		return []string{"the worktree is no longer one"}, nil
	}
	if err != nil {
		return nil, err
	}
	changes, err := r.Repo.Status(ctx, at.Dir)
	if err != nil {
		return nil, err
	}
	out, err := r.Repo.Hidden(ctx, at.Dir)
	if err != nil {
		return nil, err
	}
	if head.Hash != at.Commit {
		out = append(out, "HEAD moved to "+short(head.Hash))
	}
	for _, c := range changes {
		if fresh || c.Code != "??" {
			out = append(out, c.Path)
		}
	}
	return out, nil
}

// CheckTree begins the name of every worktree that is made to run criteria in.
const CheckTree = ".check-"

// inTree runs do in a worktree of its own that has commit checked out and set
// up, and removes it afterwards. Checks of one spec take turns: they share the
// place, and clean-up leaves it alone while one is under way.
func (r *Run) inTree(ctx context.Context, commit string, do func(tree string) error) error {
	path, err := r.treePath(CheckTree + r.Job.ID)
	if err != nil {
		return err
	}
	turn, err := r.Store.Local(store.Locks, CheckTree+r.Job.ID+".lock")
	if err != nil {
		return err
	}
	lock, err := gitops.AcquireWait(ctx, turn, "check "+r.Job.ID)
	if err != nil {
		return err
	}
	err = r.withPorts(func() error { return r.inTreeAt(ctx, path, commit, do) })
	return errors.Join(err, lock.Release())
}

func (r *Run) inTreeAt(ctx context.Context, path, commit string, do func(tree string) error) error {
	calm := context.WithoutCancel(ctx)
	if _, err := os.Lstat(path); err == nil { // left by a process that was killed
		if err := StopAsked(calm, r.Store, r.Job.ID); err != nil {
			return err
		}
		if err := r.dropTree(calm, path); err != nil {
			return err
		}
	}
	if err := r.Repo.AddDetached(ctx, path, commit); err != nil {
		return errors.Join(err, r.dropTree(calm, path))
	}
	err := r.setup(ctx, path)
	if err == nil {
		err = do(path)
	}
	return errors.Join(err, r.dropTree(calm, path))
}

// dropTree removes a tree that a check was made in; nothing in it is anybody's.
func (r *Run) dropTree(ctx context.Context, path string) error {
	err := r.Repo.RemoveWorktree(ctx, path, true)
	if _, gone := os.Lstat(path); err == nil || gone != nil {
		return err
	}
	// Half made or half removed by a process that was killed, or what ran there has made
	// something else of it.
	return errors.Join(os.RemoveAll(path), r.Repo.PruneWorktrees(ctx))
}
