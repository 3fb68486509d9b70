package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chant/engine/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
	"chant/providers/text"
)

// settleLimit bounds what is done after a run has failed or was stopped.
const settleLimit = time.Minute

// settle writes a failure to where it is seen. It works after the context has
// ended too. The error it returns is cause, joined with whatever went wrong in
// settling.
func (r *Run) settle(ctx context.Context, step journal.Step, cause error) error {
	stopped := ctx.Err() != nil
	calm, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleLimit)
	defer cancel()
	r.RedactFailure(cause)
	code, reason := journal.CodeOf(cause), cause.Error()
	if stopped {
		cause, code, reason = ctx.Err(), spec.ReasonStopped, attempt.StoppedReason
	}
	errs := []error{cause, r.RecordFailure(step, code, reason, cause), r.Record(journal.Settle, journal.Begin, nil)}
	switch {
	case attempt.Before(step, journal.Agent) && !r.History.AgentBegan():
		errs = append(errs, r.undo(calm))
	case step == journal.Rebase || step == journal.Resolve:
		errs = append(errs, r.Trees.TakeBack(calm), r.unlanded(calm, cause))
	case step == journal.Land || step == journal.Clean:
		errs = append(errs, r.unlanded(calm, cause))
	case r.Asked: // the spec stands as its person has left it
	case stopped:
		errs = append(errs, r.Trees.Leftovers(calm), r.transition(calm, spec.Pause, code, "stopped while at: "+string(step)))
	default:
		errs = append(errs, r.failed(calm, cause))
	}
	return errors.Join(append(errs, r.Record(journal.Settle, journal.Done, nil))...)
}

// failed writes a failure to the branch, or that the agent is asked again.
func (r *Run) failed(ctx context.Context, cause error) error {
	if state, again := r.putOff(ctx, cause); again {
		return r.pauseUntil(ctx, state, cause)
	}
	return r.transition(ctx, eventFor(cause), journal.CodeOf(cause), cause.Error())
}

// eventFor says what a failure means for the spec's status.
func eventFor(cause error) spec.Event {
	if slices.Contains([]spec.ReasonCode{spec.ReasonTampered, spec.ReasonStrayed, spec.ReasonOutput}, journal.CodeOf(cause)) {
		return spec.Flag
	}
	return spec.Fail
}

// unlanded keeps a completed spec completed, unless a person has to look before
// it can ever land.
func (r *Run) unlanded(ctx context.Context, cause error) error {
	f, ok := errors.AsType[*journal.Failure](cause)
	looks := []spec.ReasonCode{spec.ReasonConflict, spec.ReasonEdits, spec.ReasonTampered, spec.ReasonStrayed}
	if ok && (f.Kind.FailsVerification() || slices.Contains(looks, f.Kind)) {
		return r.transition(ctx, spec.Flag, f.Kind, f.Message)
	}
	return nil
}

// transition moves the run's own spec, with the reason.
func (r *Run) transition(ctx context.Context, ev spec.Event, code spec.ReasonCode, why string) error {
	if err := r.legible(ctx); err != nil {
		return err
	}
	why = text.Printable(r.Secrets.Text(why))
	edits := append(spec.SetReason(code, attempt.FirstLine(why)), markdown.Unset(retryKey))
	if len(r.Report.Criteria) > 0 && !r.Report.Verified {
		edits = append(edits, r.summary()...)
	}
	change := store.Change{ID: r.Job.ID, Event: ev, Edits: edits, Attempt: r.Job.Attempt, Why: why}
	if ev != spec.Flag || !r.completed() {
		change.Force = attempt.UnderWay()
	}
	if _, err := r.Store.Transition(ctx, change); err != nil {
		return fmt.Errorf("the status could not be written: %w", err)
	}
	return nil
}

func (r *Run) completed() bool { return r.Commit != "" }

// undo takes back what the steps before the first agent made.
func (r *Run) undo(ctx context.Context) error {
	var errs []error
	if tree, _, err := r.Trees.FindTree(ctx); err != nil {
		errs = append(errs, err)
	} else if tree != "" && r.Trees.Made {
		errs = append(errs, r.Repo.RemoveWorktree(ctx, tree, true))
	} else if tree != "" {
		errs = append(errs, r.Trees.RemoveTree(ctx))
	}
	return errors.Join(append(errs, r.undoBranch(ctx), r.Store.ClearCache(r.Job.ID))...)
}

// undoBranch deletes the branch when it holds nothing but start commits.
func (r *Run) undoBranch(ctx context.Context) error {
	ref := "refs/heads/" + r.Job.Branch
	tip, err := r.Repo.Resolve(ctx, ref)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil // it was not made
	}
	if err != nil {
		return err
	}
	commits, err := r.AgentCommits(ctx, tip)
	if err != nil {
		return err
	}
	_, foreign, err := r.Trees.FindTree(ctx)
	if err != nil {
		return err
	}
	if len(commits) > 0 || foreign != "" {
		return r.transition(ctx, spec.Fail, spec.ReasonSetup, "the run could not be prepared")
	}
	if r.Job.Silent {
		if err := r.transition(ctx, spec.Reset, spec.ReasonSetup, "the run could not be prepared"); err != nil {
			return err
		}
	}
	return r.Repo.DeleteRef(ctx, ref, tip)
}
