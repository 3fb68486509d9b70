package attempt

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
)

// fork is where a branch left the target.
type fork struct {
	target, tip, base string
	dropped           bool // the target no longer contains base
}

// Base returns the commit where the branch left the target. If the target was rewound or is gone, the journal has it.
func (a *Attempt) Base(ctx context.Context) (string, error) {
	f, err := a.fork(ctx)
	return f.base, err
}

func (a *Attempt) fork(ctx context.Context) (fork, error) {
	tip, err := a.Repo.Resolve(ctx, "refs/heads/"+a.Job.Branch)
	if err != nil {
		return fork{}, err
	}
	began, err := a.newestBase(ctx, tip)
	if err != nil {
		return fork{}, err
	}
	target, err := a.Repo.Resolve(ctx, "refs/heads/"+a.Job.Target)
	// Without the target, only the journal says where the branch began.
	if errors.Is(err, gitops.ErrNotFound) && began != "" {
		return fork{tip: tip, base: began}, nil
	}
	if err != nil {
		return fork{}, err
	}
	// A run asks many times, and only a move of either branch changes the answer.
	if a.memo.fork.target == target && a.memo.fork.tip == tip {
		return a.memo.fork, nil
	}
	f := fork{target: target, tip: tip}
	f.base, err = a.Repo.MergeBase(ctx, target, tip)
	if errors.Is(err, gitops.ErrNotFound) && began != "" {
		err = nil
	}
	if err != nil {
		return fork{}, err
	}
	// The merge base of a rewound target lies before the commit that the branch was made on.
	if began != "" && began != f.base {
		part, err := a.Repo.IsAncestor(ctx, began, target)
		if err != nil {
			return fork{}, err
		}
		if !part {
			f.base, f.dropped = began, true
		}
	}
	a.memo.fork = f
	return f, nil
}

// newestBase returns the newest commit of the target that the branch contains according to the journal, where it was
// created, replayed or updated; "" if the journal names none.
func (a *Attempt) newestBase(ctx context.Context, tip string) (string, error) {
	// Newest first, and only what the branch contains: a rebase that was taken back is in the journal, too.
	for _, base := range a.bases() {
		on, err := a.Repo.IsAncestor(ctx, base, tip)
		if err != nil && !errors.Is(err, gitops.ErrNotFound) {
			return "", err
		}
		if on {
			return base, nil
		}
	}
	return "", nil
}

// bases returns the commits of the target on which the branch was created or to which it was updated, newest first.
func (a *Attempt) bases() []string {
	all := []string{a.Journal.caughtTo, a.Job.Base}
	for _, earlier := range slices.Backward(a.Journal.history.Attempts) {
		if !earlier.Gone {
			all = append(all, earlier.CaughtTo, earlier.Job.Base)
		}
	}
	return slices.DeleteFunc(all, func(base string) bool { return base == "" })
}

// StartedByChant reports whether a branch has a start commit of its spec, as every run has that chant started, here or
// in another clone. Where git ignores .chant, there are no start commits, and the answer is true.
func StartedByChant(ctx context.Context, repo *gitops.Repo, job journal.Job) (bool, error) {
	if job.Silent {
		return true, nil
	}
	commits, err := repo.Log(ctx, "refs/heads/"+job.Target, "refs/heads/"+job.Branch)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(commits, func(c gitops.Commit) bool {
		id, word := message.SpecAndEvent(c)
		return id == job.ID && (word == string(spec.Start) || word == string(spec.Replay))
	}), nil
}

// Rewound is part of the message about a target that has lost commits.
const Rewound = "no longer contains"

// StillBased checks that the target exists and still contains the commit that the branch is based on: a landing would
// bring back commits that were dropped.
func (a *Attempt) StillBased(ctx context.Context) error {
	if _, err := a.TargetTip(ctx); err != nil {
		return err
	}
	f, err := a.fork(ctx)
	if err != nil || !f.dropped {
		return err
	}
	lost, err := a.lostSpec(ctx, f)
	if err != nil {
		return err
	}
	// A rebase would not find the spec on the target.
	if lost {
		return &journal.Failure{
			Kind: spec.ReasonMoved, Next: next.Shell("git merge %s", Short(f.base)),
			Message: fmt.Sprintf("%q was rewound or rewritten: it "+Rewound+" %s, and with it the spec; bring that back, or drop the run with reset", a.Job.Target, Short(f.base)),
		}
	}
	return &journal.Failure{
		Kind: spec.ReasonMoved, Next: next.Merge.On(a.Job.ID).Flag("rebase"),
		Message: fmt.Sprintf("%q was rewound or rewritten: it "+Rewound+" %s, the commit that the work is based on, and landing would bring that back", a.Job.Target, Short(f.base)),
	}
}

// lostSpec reports whether the target had the spec where the branch left it, and does not have it now.
func (a *Attempt) lostSpec(ctx context.Context, f fork) (bool, error) {
	before, err := a.OnTarget(ctx, f.base)
	if err != nil || before == nil {
		return false, err
	}
	now, err := a.OnTarget(ctx, f.target)
	return now == nil, err
}

// TargetTip returns the target's tip. Errors: *Failure if the target does not exist any more.
func (a *Attempt) TargetTip(ctx context.Context) (string, error) {
	target, err := a.Repo.Resolve(ctx, "refs/heads/"+a.Job.Target)
	if errors.Is(err, gitops.ErrNotFound) {
		return "", &journal.Failure{
			Kind: spec.ReasonTargetGone, Next: next.EditFile(store.ConfigPath),
			Message: fmt.Sprintf("branch %q, where the work was to land, is gone: it was renamed or deleted during the run%s; set main_branch in %s", a.Job.Target, a.describeRenamed(ctx), store.ConfigPath),
		}
	}
	return target, err
}

// describeRenamed names the branch that is checked out if it contains what the target had: the target may have been renamed.
func (a *Attempt) describeRenamed(ctx context.Context) string {
	head, err := a.Repo.Head(ctx, a.Store.Home())
	if err != nil || head.Branch == "" {
		return ""
	}
	for _, base := range a.bases() {
		if holds, err := a.Repo.IsAncestor(ctx, base, head.Hash); err == nil && holds {
			return fmt.Sprintf(", and %q has its commits", head.Branch)
		}
	}
	return ""
}
