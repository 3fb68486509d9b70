package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// gate is what every branch passes before it lands, whoever asks for the landing: the run
// that made it, a person, a watcher, or a process that takes up what another has left. It
// believes nothing that an earlier process is said to have found: it compares the branch
// with its start commit and with what lay around it. recheck then asks for the evidence.
func (r *Run) gate(ctx context.Context, target, tip string) error {
	if err := r.stillBased(ctx); err != nil {
		return err
	}
	if err := r.lookBehind(ctx); err != nil {
		return err
	}
	if err := r.straight(); err != nil {
		return err
	}
	if err := r.allowed(ctx, target); err != nil {
		return err
	}
	if err := r.completedHere(ctx, tip); err != nil {
		return err
	}
	if err := r.unbroken(ctx); err != nil {
		return err
	}
	return r.untampered(ctx)
}

// completedHere checks that chant itself has completed the spec, in this repository, and
// that no work was committed since.
func (r *Run) completedHere(ctx context.Context, tip string) error {
	complete := r.lastComplete()
	if complete == "" {
		return r.NotBegun()
	}
	grown, err := r.Repo.IsAncestor(ctx, complete, tip)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return err
	}
	if !grown {
		return &journal.Failure{
			Kind: spec.ReasonChanged, Next: "chant merge " + r.Job.ID + " --rebase",
			Message: fmt.Sprintf("branch %q was rewritten since the spec was completed: commit %s is gone from it", r.Job.Branch, short(complete)),
		}
	}
	changes, err := r.Repo.Diff(ctx, complete, tip)
	if err != nil {
		return err
	}
	own := store.SpecPath(r.Job.ID)
	if at := slices.IndexFunc(changes, func(c gitops.Change) bool { return c.Path != own }); at >= 0 {
		return &journal.Failure{
			Kind: spec.ReasonChanged, Next: "chant finalize " + r.Job.ID,
			Message: fmt.Sprintf("branch %q has commits since the spec was completed, which change %q; finalize checks it again", r.Job.Branch, changes[at].Path),
		}
	}
	return nil
}

// NotBegun is the failure of a branch on which chant has completed nothing here.
func (r *Run) NotBegun() *journal.Failure {
	return &journal.Failure{
		Kind: spec.ReasonForeign, Next: "chant finalize " + r.Job.ID,
		Message: fmt.Sprintf("branch %q was not completed by chant in this repository; finalize checks what it holds, reset drops it", r.Job.Branch),
	}
}

// lastComplete is the newest complete commit that is known here, "" without one.
func (r *Run) lastComplete() string { return cmp.Or(r.Commit, r.History.CompleteCommit()) }

// Reopened reports whether the branch is not, or not only, what chant has completed in this
// repository: its spec has to be judged again before it lands.
func (r *Run) Reopened(ctx context.Context) (bool, error) {
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return false, err
	}
	err = r.completedHere(ctx, tip)
	f, ok := errors.AsType[*journal.Failure](err)
	if ok && (f.Kind == spec.ReasonForeign || f.Kind == spec.ReasonChanged) {
		return true, nil
	}
	return false, err
}

// lookBehind looks what an agent has done behind the run's back whose end no process has
// seen: chant was killed while it worked.
func (r *Run) lookBehind(ctx context.Context) error {
	last := r.History.Open()
	if r.Accepted || r.seen != nil || r.Agent != nil || last == nil || last.Agent != nil || last.Before == nil {
		return nil
	}
	found, err := r.behind(ctx, *last.Before)
	if err != nil || len(found) == 0 {
		return err
	}
	last.Behind = append(last.Behind, found...) // for straight
	if r.asked {
		return nil // a person may accept it: nothing is written down yet
	}
	return r.record(journal.Guard, journal.Failed, found)
}

// keepBehind writes down what an agent did behind the run's back that was stopped: its
// report is not kept.
func (r *Run) keepBehind() error {
	if len(r.Agent.Behind) == 0 {
		return nil
	}
	return r.record(journal.Guard, journal.Failed, r.Agent.Behind)
}
