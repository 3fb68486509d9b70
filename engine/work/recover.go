package work

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
)

// Died reports whether the process that worked a spec on this machine is gone. A
// branch without a journal is the claim of someone elsewhere.
func Died(p *engine.Project, s *spec.Spec) bool {
	if advice.RunState(p, s) != advice.Interrupted {
		return false
	}
	h, err := journal.ReadHistory(p.Store, s.ID)
	return err == nil && h.Last() != nil
}

// RecoverHeld sees to a run whose process died. What had got past its agent goes on
// to its landing by itself, as does everything when agents may start; the rest is
// settled: undone when no agent had begun, else paused with all it left committed; but
// what is complete stays so, and what was under way to bring it up to date is taken back.
// found is nil when nothing had died; settled tells that nothing is left to do.
func RecoverHeld(ctx context.Context, p *engine.Project, h *engine.Held, mayStart bool) (found *RecoveredRun, settled bool, err error) {
	s, err := p.Store.Get(ctx, h.ID)
	if err != nil {
		return nil, false, err
	}
	open := h.History.Open()
	if s.Branch == "" || s.AwaitsRetry() || h.History.Last() == nil || open == nil && s.Status != spec.InProgress {
		return nil, false, nil
	}
	found = &RecoveredRun{ID: s.ID, Step: advice.StepOf(h.History)}
	next, from, err := resume(ctx, p, WorkInput{}, s, h)
	switch {
	case err != nil:
		return found, false, err
	case next != nil:
		found.What = fmt.Sprintf("went on at %q", from)
		return found, false, nil
	case mayStart && !advice.WorkDone(s, h.History):
		found.What = "a new attempt was begun"
		return found, false, nil
	}
	found.What, err = settleRun(ctx, p, s, h)
	return found, true, err
}

// settleRun writes to a run's branch what its process could not write any more.
func settleRun(ctx context.Context, p *engine.Project, s *spec.Spec, h *engine.Held) (what string, err error) {
	var was journal.Job
	if last := h.History.Last(); last != nil {
		was = last.Taken
		was.Attempt = last.Number
	}
	job, err := run.Job(ctx, p, s, h.History, was)
	if err != nil {
		return "", err
	}
	r := run.NewRun(p, job, h.History, run.SettingsOf(p))
	if r.Tree, err = engine.TreeOf(ctx, p, s.ID); err != nil {
		return "", err
	}
	if err := r.Begin(ctx, false); err != nil {
		return "", err
	}
	if err := r.Abandon(ctx); err != nil {
		return "", err
	}
	if advice.WorkDone(s, h.History) {
		return "its work is complete and stays on its branch; what else was under way was taken back", nil
	}
	if _, err := p.Repo.Resolve(ctx, "refs/heads/"+job.Branch); err != nil {
		return "undone: no agent had begun", nil //nolint:nilerr // the branch is gone, as it should
	}
	return "paused, with what the agent had left committed", nil
}

// RecoveredRun is a run whose process had died, and what is done about it.
type RecoveredRun struct {
	ID   string       `json:"id"`
	Step journal.Step `json:"step"` // at which it died
	What string       `json:"what"`
}
