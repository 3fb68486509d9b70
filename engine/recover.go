package engine

import (
	"context"
	"fmt"

	"chant/engine/run"
	"chant/engine/spec"
)

// died reports whether the process that worked a spec on this machine is gone. A
// branch without a journal is the claim of somebody elsewhere.
func (e *Engine) died(s *spec.Spec) bool {
	if e.runState(s) != interrupted {
		return false
	}
	h, err := run.ReadHistory(e.store, s.ID)
	return err == nil && h.Last() != nil
}

// recoverHeld sees to a run whose process died. What had got past its agent goes on
// to its landing by itself, as does everything when agents may start; the rest is
// settled: undone when no agent had begun, else paused with all it left committed; but
// what is complete stays so, and what was under way to bring it up to date is taken back.
// found is nil when nothing had died; settled tells that nothing is left to do.
func (e *Engine) recoverHeld(ctx context.Context, h *held, mayStart bool) (found *RecoveredRun, settled bool, err error) {
	s, err := e.store.Get(ctx, h.id)
	if err != nil {
		return nil, false, err
	}
	open := h.history.Open()
	if s.Branch == "" || s.AwaitsRetry() || h.history.Last() == nil || open == nil && s.Status != spec.InProgress {
		return nil, false, nil
	}
	found = &RecoveredRun{ID: s.ID, Step: stepOf(h.history)}
	next, from, err := e.resume(ctx, WorkInput{}, s, h)
	switch {
	case err != nil:
		return found, false, err
	case next != nil:
		found.What = fmt.Sprintf("went on at %q", from)
		return found, false, nil
	case mayStart && !workDone(s, h.history):
		found.What = "a new attempt was begun"
		return found, false, nil
	}
	found.What, err = e.settleRun(ctx, s, h)
	return found, true, err
}

// settleRun writes to a run's branch what its process could not write any more.
func (e *Engine) settleRun(ctx context.Context, s *spec.Spec, h *held) (what string, err error) {
	var was run.Job
	if last := h.history.Last(); last != nil {
		was = last.Taken
		was.Attempt = last.Number
	}
	job, err := e.job(ctx, s, h, was)
	if err != nil {
		return "", err
	}
	r := e.newRun(job, h, e.settings())
	if r.Tree, err = e.treeOf(ctx, s.ID); err != nil {
		return "", err
	}
	if err := r.Begin(ctx, false); err != nil {
		return "", err
	}
	if err := r.Abandon(ctx); err != nil {
		return "", err
	}
	if workDone(s, h.history) {
		return "its work is complete and stays on its branch; what else was under way was taken back", nil
	}
	if _, err := e.repo.Resolve(ctx, "refs/heads/"+job.Branch); err != nil {
		return "undone: no agent had begun", nil //nolint:nilerr // the branch is gone, as it should
	}
	return "paused, with what the agent had left committed", nil
}
