package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// fork is where a branch has left the target, and whether that commit is still part of it.
type fork struct {
	target, tip, base string
	dropped           bool // people have taken base, or what leads to it, off the target since
}

// base is the commit where the branch left the target. It is asked for often, and the
// same two tips always have the same one. Where the target was rewound or is gone, the
// journal knows it.
func (r *Run) base(ctx context.Context) (string, error) {
	f, err := r.fork(ctx)
	return f.base, err
}

func (r *Run) fork(ctx context.Context) (fork, error) {
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return fork{}, err
	}
	began, err := r.began(ctx, tip)
	if err != nil {
		return fork{}, err
	}
	target, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Target)
	if errors.Is(err, gitops.ErrNotFound) && began != "" {
		return fork{tip: tip, base: began}, nil
	}
	if err != nil {
		return fork{}, err
	}
	if r.parted.target == target && r.parted.tip == tip {
		return r.parted, nil
	}
	f := fork{target: target, tip: tip}
	f.base, err = r.Repo.MergeBase(ctx, target, tip)
	if errors.Is(err, gitops.ErrNotFound) && began != "" {
		err = nil
	}
	if err != nil {
		return fork{}, err
	}
	if began != "" && began != f.base {
		part, err := r.Repo.IsAncestor(ctx, began, target)
		if err != nil {
			return fork{}, err
		}
		if !part {
			f.base, f.dropped = began, true
		}
	}
	r.parted = f
	return f, nil
}

// began is the newest commit of the target that the branch is known to stand on, "" when
// the journal names none: where it was made, replayed or brought up to date.
func (r *Run) began(ctx context.Context, tip string) (string, error) {
	for _, base := range r.bases() {
		on, err := r.Repo.IsAncestor(ctx, base, tip)
		if err != nil && !errors.Is(err, gitops.ErrNotFound) {
			return "", err
		}
		if on {
			return base, nil
		}
	}
	return "", nil
}

// bases are the commits of the target on which the branch was begun or brought up to
// date, the newest first.
func (r *Run) bases() []string {
	all := []string{r.caughtTo, r.Job.Base}
	for _, a := range slices.Backward(r.History.Attempts) {
		if !a.Gone {
			all = append(all, a.CaughtTo, a.Job.Base)
		}
	}
	return slices.DeleteFunc(all, func(base string) bool { return base == "" })
}

// StartedByChant reports whether a branch has a start commit of its spec, as every run's has
// that chant began, here or in another clone. Where git ignores .chant there is none.
func StartedByChant(ctx context.Context, repo *gitops.Repo, job journal.Job) (bool, error) {
	if job.Silent {
		return true, nil
	}
	commits, err := repo.Log(ctx, "refs/heads/"+job.Target, "refs/heads/"+job.Branch)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(commits, func(c gitops.Commit) bool {
		id, word := store.Says(c)
		return id == job.ID && (word == string(spec.Start) || word == string(spec.Replay))
	}), nil
}

// Rewound is what a failure's message says of a target that has lost commits.
const Rewound = "no longer contains"

// stillBased checks that the target is there and contains what the branch stands on: a
// landing would bring back the commits that were dropped from it.
func (r *Run) stillBased(ctx context.Context) error {
	if _, err := r.landsOn(ctx); err != nil {
		return err
	}
	f, err := r.fork(ctx)
	if err != nil || !f.dropped {
		return err
	}
	lost, err := r.lostSpec(ctx, f)
	if err != nil {
		return err
	}
	if lost { // a replay would meet a spec that is not there
		return &journal.Failure{
			Kind: spec.ReasonMoved, Next: "git merge " + short(f.base),
			Message: fmt.Sprintf("%q was rewound or rewritten: it "+Rewound+" %s, and with it the spec; bring that back, or drop the run with reset", r.Job.Target, short(f.base)),
		}
	}
	return &journal.Failure{
		Kind: spec.ReasonMoved, Next: "chant merge " + r.Job.ID + " --rebase",
		Message: fmt.Sprintf("%q was rewound or rewritten: it "+Rewound+" %s, the commit that the work is based on, and landing would bring that back", r.Job.Target, short(f.base)),
	}
}

// lostSpec reports whether the target had the spec where the branch left it, and no longer has it.
func (r *Run) lostSpec(ctx context.Context, f fork) (bool, error) {
	before, err := r.onTarget(ctx, f.base)
	if err != nil || before == nil {
		return false, err
	}
	now, err := r.onTarget(ctx, f.target)
	return now == nil, err
}

// landsOn is the target's tip. Errors: *Failure where there is no such branch any more.
func (r *Run) landsOn(ctx context.Context) (string, error) {
	target, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Target)
	if errors.Is(err, gitops.ErrNotFound) {
		return "", &journal.Failure{
			Kind: spec.ReasonTargetGone, Next: "vi " + store.ConfigPath,
			Message: fmt.Sprintf("branch %q, where the work was to land, is gone: it was renamed or deleted during the run%s; set main_branch in %s", r.Job.Target, r.renamed(ctx), store.ConfigPath),
		}
	}
	return target, err
}

// renamed names the branch that is checked out where it holds what the target is known to have had.
func (r *Run) renamed(ctx context.Context) string {
	head, err := r.Repo.Head(ctx, r.Store.Home())
	if err != nil || head.Branch == "" {
		return ""
	}
	for _, base := range r.bases() {
		if holds, err := r.Repo.IsAncestor(ctx, base, head.Hash); err == nil && holds {
			return fmt.Sprintf(", and %q has its commits", head.Branch)
		}
	}
	return ""
}
