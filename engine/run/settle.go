package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
	"chant/text"
)

// settleLimit bounds the time for settling a run that has failed or was stopped.
const settleLimit = time.Minute

// settle writes a failure to journal, branch and status. It also works after the context has ended. The error is cause,
// joined with whatever went wrong while settling.
func (r *Run) settle(ctx context.Context, step journal.Step, cause error) error {
	// Read first: settling takes time, and a stop meanwhile is not the cause.
	stopped := ctx.Err() != nil
	cause = r.waitsForAnswer(step, cause)
	calm, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleLimit)
	defer cancel()
	// Before journal, branch and log get the text, which an agent can have filled with a secret.
	r.RedactFailure(cause)
	code, reason := journal.CodeOf(cause), cause.Error()
	logged := r.logForbidden(cause)
	if stopped {
		cause, code, reason = ctx.Err(), spec.ReasonStopped, attempt.StoppedReason
	}
	// The journal first: after a kill from here on, the failure is known, and settling is repeated.
	errs := []error{cause, logged, r.Journal.RecordFailure(step, code, reason, cause), r.Journal.Record(journal.Settle, journal.Begin, nil)}
	end := decideEnding(step, code, circumstances{begun: r.Journal.History().AgentBegan(), asked: r.Asked, stopped: stopped})
	if end.undo {
		errs = append(errs, r.undo(calm))
	}
	if end.takeBack {
		errs = append(errs, r.Trees.TakeBack(calm))
	}
	if end.commit {
		errs = append(errs, r.Trees.Leftovers(calm))
	}
	errs = append(errs, r.settleStatus(calm, step, end, cause))
	return errors.Join(append(errs, r.Journal.Record(journal.Settle, journal.Done, nil))...)
}

// logForbidden writes all forbidden changes to the log, since the reason names only the first of them.
func (r *Run) logForbidden(cause error) error {
	f, ok := errors.AsType[*journal.Failure](cause)
	if !ok || f.Kind != spec.ReasonTampered || r.Log == nil {
		return nil
	}
	var errs []error
	for _, change := range f.Details {
		errs = append(errs, r.Log.Line("forbidden: "+change))
	}
	return errors.Join(errs...)
}

// settleStatus writes to the branch how the run has ended, or that its agent is started again.
func (r *Run) settleStatus(ctx context.Context, step journal.Step, end ending, cause error) error {
	switch {
	case end.event == "":
		return nil
	case end.event == spec.Pause:
		return r.transition(ctx, spec.Pause, spec.ReasonStopped, "stopped while at: "+string(step))
	}
	if !end.retry {
		why := cause.Error()
		if f, ok := errors.AsType[*journal.Failure](cause); ok {
			why = f.Message
		}
		return r.transition(ctx, end.event, journal.CodeOf(cause), why)
	}
	if state, again := r.nextRetry(ctx, cause); again {
		return r.pauseUntil(ctx, state, cause)
	}
	return r.transition(ctx, end.event, journal.CodeOf(cause), cause.Error())
}

// transition changes the status of the run's own spec, with the reason.
func (r *Run) transition(ctx context.Context, ev spec.Event, code spec.ReasonCode, why string) error {
	if err := r.ensureReadable(ctx); err != nil {
		return err
	}
	why = text.Printable(r.Secrets.Text(why))
	edits := append(spec.SetReason(code, attempt.FirstLine(why)), markdown.Unset(retryKey))
	if report := r.Judge.Report; len(report.Criteria) > 0 && !report.Verified {
		edits = append(edits, summary(report)...)
	}
	change := store.Change{ID: r.Job.ID, Event: ev, Edits: edits, Attempt: r.Job.Attempt, Why: why}
	// While the run works, its status is chant's to set, whatever the agent has written there.
	if ev != spec.Flag || !r.completed() {
		change.Force = attempt.UnderWay()
	}
	if _, err := r.Store.Transition(ctx, change); err != nil {
		return fmt.Errorf("the status could not be written: %w", err)
	}
	return nil
}

func (r *Run) completed() bool { return r.Commit != "" }

// undo removes what the steps before the first agent have created.
func (r *Run) undo(ctx context.Context) error {
	var errs []error
	if tree, _, err := r.Trees.FindTree(ctx); err != nil {
		errs = append(errs, err)
		// A worktree that this process has made is removed with whatever set-up commands have put there; another one may have
		// work.
	} else if tree != "" && r.Trees.Made {
		errs = append(errs, r.Repo.RemoveWorktree(ctx, tree))
	} else if tree != "" {
		errs = append(errs, r.Trees.RemoveTree(ctx))
	}
	return errors.Join(append(errs, r.undoBranch(ctx), r.Store.ClearCache(r.Job.ID))...)
}

// undoBranch deletes the branch if it contains nothing but start commits.
func (r *Run) undoBranch(ctx context.Context) error {
	ref := "refs/heads/" + r.Job.Branch
	tip, err := r.Repo.Resolve(ctx, ref)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil // it was not created
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
	// Commits or a worktree elsewhere hold work, so the branch stays and says why it failed.
	if len(commits) > 0 || foreign != "" {
		return r.transition(ctx, spec.Fail, spec.ReasonSetup, "the run could not be prepared")
	}
	if r.Job.Silent {
		// Git ignores the spec in silent mode: deleting the branch does not take its status back.
		if err := r.transition(ctx, spec.Reset, spec.ReasonSetup, "the run could not be prepared"); err != nil {
			return err
		}
	}
	// Only if it is still at this tip: a commit that has come meanwhile keeps the branch.
	return r.Repo.DeleteRef(ctx, ref, tip)
}

// ensureReadable restores the trusted version of the run's spec if the agent has left none on the branch that a status
// can be written into: no file, an invalid one, or a link.
func (r *Run) ensureReadable(ctx context.Context) error {
	// Without a whole worktree the status is written by commit, which needs no file.
	if r.Job.Silent || r.Trees.Tree == "" || !r.Whole(r.Trees.Tree) {
		return nil
	}
	if _, err := r.OwnSpec(ctx); err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	start, err := r.Trusted(ctx)
	if err != nil {
		return err
	}
	return r.Guard.PutBack(ctx, start)
}
