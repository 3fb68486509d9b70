package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// recheck runs the criteria again on the merged tree, unless that tree is the
// one they already ran on: the target has not moved and this process or its
// journal vouches for the complete commit.
func (r *Run) recheck(ctx context.Context, target, tip, merge string) error {
	base, err := r.base(ctx)
	if err != nil {
		return err
	}
	judged, err := r.underDecisions(ctx, tip)
	if err != nil {
		return err
	}
	if base == target && (r.Commit == judged || r.vouched(judged)) {
		return nil
	}
	why := fmt.Sprintf("%q has moved since", r.Job.Target)
	if base == target {
		why = "no journal tells of them for this commit"
	}
	r.emit(Land, "step", "running the criteria on the merged tree: %s", why)
	return r.InPlace(ctx, merge, true, func(place Place) error {
		now, err := r.specAt(ctx, merge)
		if err != nil {
			return err
		}
		start, err := r.believed(ctx, now)
		if err != nil {
			return err
		}
		if r.Report, err = r.JudgeIn(ctx, place, start, now); err != nil {
			return err
		}
		if !r.Report.Verified {
			f := Unmet(r.Report.Criteria)
			f.Message, f.Next = OnMergedTree+" "+f.Message, r.wayOut()
			return f
		}
		return r.Untouched(ctx, place)
	})
}

// OnMergedTree begins the message of a failure that only the merged tree shows.
const OnMergedTree = "on the merged tree"

// specAt reads the run's spec as a commit has it, home's where git ignores .chant.
func (r *Run) specAt(ctx context.Context, commit string) (*spec.Spec, error) {
	if r.Job.Silent {
		return r.Store.FromHome(r.Job.ID)
	}
	return r.Store.At(ctx, commit, r.Job.ID)
}

// The words of what a person took back.
const (
	wasCancelled = "was cancelled"
	takenBack    = "taken back there"
)

// TakenBack reports whether a failure's message tells that a person took back what
// the run began with: nothing that the run does can land it any longer.
func TakenBack(message string) bool {
	for _, words := range []string{wasCancelled, takenBack, spec.RefusedApproval} {
		if strings.Contains(message, words) {
			return true
		}
	}
	return false
}

func (r *Run) vouched(tip string) bool {
	for _, a := range r.History.Attempts {
		if a.Commit == tip {
			return true
		}
	}
	return false
}

// CheckTree begins the name of every worktree that is made to run criteria in.
const CheckTree = ".check-"

// InTree runs do in a worktree of its own that has commit checked out and set
// up, and removes it afterwards. Checks of one spec take turns: they share the
// place, and clean-up leaves it alone while one is under way.
func (r *Run) InTree(ctx context.Context, commit string, do func(tree string) error) error {
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
	err = r.withPorts(func() error { return r.inTree(ctx, path, commit, do) })
	return errors.Join(err, lock.Release())
}

func (r *Run) inTree(ctx context.Context, path, commit string, do func(tree string) error) error {
	calm := context.WithoutCancel(ctx)
	if _, err := os.Lstat(path); err == nil { // left by a process that was killed
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
	if errors.Is(err, gitops.ErrNotRepository) {
		return os.RemoveAll(path) // half made or half removed by a process that was killed
	}
	return err
}
