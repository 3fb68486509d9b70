package engine

import (
	"context"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/markdown"
)

// FinalizeInput says which spec to complete.
type FinalizeInput struct {
	ID            string `json:"id" jsonschema:"Spec ID (full or partial)"`
	AcceptChanges bool   `json:"accept_changes,omitempty" jsonschema:"Accept what was changed in criteria, other specs or settings on the run's branch"`
}

// Finalize completes a spec whose work is done: it runs the criteria and commits
// the completed status, on the run's branch if there is one, else on the branch
// in home. It does not land. Errors: State, Unverified, Conflict.
func (e *Engine) Finalize(ctx context.Context, in FinalizeInput) (WorkResult, error) {
	return withHold(ctx, e, in.ID, "finalize", func(h *held) (WorkResult, error) { return e.finalizeHeld(ctx, in, h) })
}

func (e *Engine) finalizeHeld(ctx context.Context, in FinalizeInput, h *held) (WorkResult, error) {
	s, err := e.store.Get(ctx, h.id)
	if err != nil {
		return WorkResult{}, err
	}
	if done, err := e.finalizeDriver(ctx, s); done.ID != "" || err != nil {
		return done, err
	}
	if _, err := spec.Next(s.Status, spec.Complete); err != nil {
		return WorkResult{}, err
	}
	job, err := e.job(ctx, s, h, run.Job{Model: s.Fields.Model})
	if err != nil {
		return WorkResult{}, err
	}
	if s.Branch == "" {
		return e.finalizeAtHome(ctx, s, job, h)
	}
	r := e.newRun(job, h, e.settings())
	if last := h.history.Last(); last != nil && last.Agent != nil {
		r.Job.Provider, r.Job.Model = last.Job.Provider, last.Agent.Model
	}
	if err := r.NeedTree(ctx); err != nil {
		return WorkResult{}, err
	}
	if in.AcceptChanges {
		if err := r.Accept(ctx); err != nil {
			return WorkResult{}, err
		}
	}
	if err := r.Begin(false); err != nil {
		return WorkResult{}, err
	}
	err = r.Through(ctx, run.Collect, run.Complete)
	return e.workResult(ctx, r, err), err
}

// finalizeAtHome completes a spec that was worked without a run: in home, by
// hand. The criteria run on a clean checkout of what is committed there.
func (e *Engine) finalizeAtHome(ctx context.Context, s *spec.Spec, job run.Job, h *held) (WorkResult, error) {
	head, err := e.repo.Head(ctx, e.repo.Home())
	if err != nil {
		return WorkResult{}, err
	}
	r := e.newRun(job, h, e.settings())
	result := WorkResult{ID: s.ID, Title: s.Title, Status: s.Status, Target: job.Target}
	verdicts, err := r.CheckAt(ctx, head.Hash, s)
	result.Criteria = verdicts
	if err != nil {
		return result, err
	}
	if !verify.Holds(verdicts) {
		return result, run.Unmet(verdicts)
	}
	out, err := e.store.Transition(ctx, store.Change{
		ID: s.ID, Event: spec.Complete, Edits: r.FinalFields(nil, verdicts),
		Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			return spec.Check(doc, verify.Boxes(verdicts))
		},
	})
	if err != nil {
		return result, err
	}
	result.Status, result.Commit, result.Branch, result.Target = spec.Completed, out.Commit, head.Branch, job.Target
	result.Landed = head.Branch == job.Target
	return result, nil
}

// finalizeDriver completes a container whose members are all done, as when the
// last of them was merged by hand. The result is empty for anything else.
func (e *Engine) finalizeDriver(ctx context.Context, s *spec.Spec) (WorkResult, error) {
	_, g, err := e.graph(ctx)
	if err != nil || !g.Container(s.ID) || s.Status == spec.Completed || s.Branch != "" {
		return WorkResult{}, err
	}
	if !g.Done(s.ID) {
		return WorkResult{}, fail(State, "chant deps "+s.ID, "spec %q holds members that are not done yet", s.ID)
	}
	out, err := e.store.Transition(ctx, run.DriverChange(s.ID, "All its members are done.", e.Now()))
	return WorkResult{ID: s.ID, Title: s.Title, Status: spec.Completed, Landed: true, Commit: out.Commit}, err
}
