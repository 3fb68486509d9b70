package work

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// ProcessDied reports whether the process that worked a spec on this machine is gone. A
// branch without a journal belongs to a run on another machine.
func ProcessDied(p *engine.Project, s *spec.Spec) bool {
	if advice.RunState(p, s) != advice.Interrupted {
		return false
	}
	// A branch without a journal belongs to a run on another machine.
	h, err := journal.ReadSealed(p.Store, s.ID)
	return err == nil && h.Last() != nil
}

// RecoverHeld recovers a run whose process died. A run whose agent has ended resumes up to
// its landing. Any other run gets a new attempt if agents may start, unless its work is
// complete. What remains is settled: a run whose agent had not started is undone; a run with
// complete work keeps it, and an update of its branch that was under way is taken back; every
// other run is paused, with everything its agent left committed. found is nil if no process
// had died; settled reports that nothing is left to do, else the caller works the spec.
func RecoverHeld(ctx context.Context, p *engine.Project, h *engine.Held, mayStart bool) (found *RecoveredRun, settled bool, err error) {
	s, err := p.Store.Get(ctx, h.ID)
	if err != nil {
		return nil, false, err
	}
	open := h.History.Open()
	// A run that waits for a retry has no process, and needs none.
	if s.Branch == "" || s.AwaitsRetry() || h.History.Last() == nil || open == nil && s.Status != spec.InProgress {
		return nil, false, nil
	}
	found = &RecoveredRun{ID: s.ID, Step: advice.LastStep(h.History)}
	w := Working{Project: p, Held: h, Spec: s}
	next, from, err := w.resume(ctx)
	switch {
	case err != nil:
		return found, false, err
	case next != nil:
		found.What = fmt.Sprintf("resumed at step %q", from)
		return found, false, nil
	// No agent is started for complete work, which has only to land.
	case mayStart && !advice.IsWorkComplete(&s.Spec, h.History):
		found.What = "a new attempt was started"
		return found, false, nil
	}
	found.What, err = w.settleRun(ctx)
	return found, true, err
}

// settleRun ends a run whose process died as that process would have ended it if it had been
// asked to stop, and returns what became of it.
func (w *Working) settleRun(ctx context.Context) (what string, err error) {
	p, s, h := w.Project, w.Spec, w.Held
	var was journal.Job
	// The job as it was taken last, so that its flags stay in the journal.
	if last := h.History.Last(); last != nil {
		was = last.Taken
		was.Attempt = last.Number
	}
	facts, err := run.ReadFacts(ctx, p, &s.Spec, h.History)
	if err != nil {
		return "", err
	}
	r := run.NewRun(p, facts.Question(was), h.History)
	tree, err := engine.TreeOf(ctx, p, s.ID)
	if err != nil {
		return "", err
	}
	r.Trees.Use(tree, false)
	if err := r.Begin(ctx); err != nil {
		return "", err
	}
	if err := r.Abandon(ctx); err != nil {
		return "", err
	}
	if advice.IsWorkComplete(&s.Spec, h.History) {
		// Its status stays, so that merge lands it.
		return "its work is complete and stays on its branch; what else was under way was taken back", nil
	}
	if _, err := p.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch); err != nil {
		// The branch is gone, as it should be.
		return "undone: no agent had started", nil //nolint:nilerr
	}
	return "paused, with what the agent had left committed", nil
}

// RecoveredRun is a run whose process had died, and what was done about it.
type RecoveredRun struct {
	ID   string       `json:"id"`
	Step journal.Step `json:"step"` // at which it died
	What string       `json:"what"`
}

// refuseNewAttempt refuses a new attempt at complete work whose landing or update was interrupted
// by the death of its process, and settles the run.
func (w *Working) refuseNewAttempt(ctx context.Context) error {
	s, h := w.Spec, w.Held
	again := advice.MergeAgainStep(&s.Spec, h.History)
	died := h.History.Open() != nil
	if !advice.IsWorkComplete(&s.Spec, h.History) || again.IsZero() && !died {
		return nil
	}
	// Settled even though the command fails, since the advice that it gives needs a branch without a half-done update.
	if died && !w.Input.DryRun {
		if _, err := w.settleRun(ctx); err != nil {
			return err
		}
	}
	switch {
	case again.IsZero() && s.Status == spec.Completed:
		return engine.Fail(engine.State, next.Merge.On(s.ID), "spec %q is completed but has not landed", s.ID)
	case again.IsZero():
		return engine.Fail(engine.State, next.Diagnose.On(s.ID), "the work on spec %q is complete; its landing was interrupted", s.ID)
	}
	return engine.Fail(engine.State, again, "the work on spec %q is complete; updating its branch from the target was interrupted at step %q", s.ID, h.History.InterruptedStep())
}

// dropRunWithoutBranch drops what is left of a run whose branch a person has deleted, before
// another run of the spec begins: the new run would use its tree, which contains the files of
// an old target.
func (w *Working) dropRunWithoutBranch(ctx context.Context, r *run.Run) error {
	p, h := w.Project, w.Held
	branch, err := p.Store.HasBranch(ctx, h.ID)
	// A journal without an agent has left nothing that could mislead.
	if err != nil || branch || h.History.Open() == nil && !h.History.AgentBegan() {
		return err
	}
	if last := h.History.Last(); last != nil && last.Tip != "" {
		engine.Warn(p, h.ID, fmt.Sprintf("branch %[1]q of an earlier run is gone, so its work is not continued; its last commit was %[2]s, which \"git branch kept/%[1]s %[2]s\" brings back", p.Store.Branch(h.ID), attempt.Short(last.Tip)))
	}
	if err := r.Trees.Drop(ctx, ""); err != nil {
		return err
	}
	// The drop has written to the journal, and the new run must not count the old attempts.
	if h.History, err = journal.ReadSealed(p.Store, h.ID); err != nil {
		return err
	}
	r.Journal.Reread(h.History)
	return nil
}
