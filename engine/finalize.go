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
// in home. It does not land. A spec that does not pass stays as it is. Inside the
// spec's own run it says whether the spec would pass: chant itself completes it
// when the agent has ended. Errors: State, Unverified, Conflict.
func (e *Engine) Finalize(ctx context.Context, in FinalizeInput) (WorkResult, error) {
	id, err := e.find(ctx, in.ID)
	if err != nil {
		return WorkResult{}, wrap(err, in.ID)
	}
	if e.inOwnCopy("finalize", id) {
		result, err := e.finalizeInRun(ctx, id, in)
		return done(result, err, id)
	}
	return withHold(ctx, e, id, "finalize", func(h *held) (WorkResult, error) { return e.finalizeHeld(ctx, in, h, nil) })
}

// docEdit changes a document.
type docEdit = func(*markdown.Document) (*markdown.Document, error)

// finalizeHeld completes a spec, with further changes made by the same commit if
// also is not nil.
func (e *Engine) finalizeHeld(ctx context.Context, in FinalizeInput, h *held, also docEdit) (WorkResult, error) {
	s, err := e.store.Get(ctx, h.id)
	if err != nil {
		return WorkResult{}, err
	}
	if done, err := e.finalizeDriver(ctx, s, also); done.ID != "" || err != nil {
		return done, err
	}
	if err := e.startedHere(ctx, s, h.history); err != nil {
		return WorkResult{}, err
	}
	if s, err = e.takeHomeEdit(ctx, s, h); err != nil {
		return WorkResult{}, err
	}
	job, err := e.job(ctx, s, h, run.Job{Model: s.Fields.Model, NoMerge: true})
	if err != nil {
		return WorkResult{}, err
	}
	r := e.newRun(job, h, e.settings())
	if err := mayFinalize(ctx, s, r); err != nil {
		return WorkResult{}, err
	}
	r.Also = also
	if s.Branch == "" {
		if hold := s.ApprovalBlock(); hold.Exists() { // what is completed in home needs no landing
			return WorkResult{}, notApproved(s, hold)
		}
		return e.finalizeAtHome(ctx, s, r)
	}
	if last := h.history.Last(); last != nil && last.Agent != nil {
		r.Job.Provider, r.Job.Model = last.Job.Provider, last.Agent.Model
	}
	if err := r.NeedTree(ctx); err != nil {
		return WorkResult{}, err
	}
	if err := e.resolved(ctx, s, r); err != nil {
		return WorkResult{}, e.hinted(ctx, s.ID, err)
	}
	err = r.Finish(ctx, in.AcceptChanges)
	return e.ended(ctx, r, err)
}

// mayFinalize asks the state machine. A completed spec may be finalized again while its
// branch holds anything else than what was completed.
func mayFinalize(ctx context.Context, s *spec.Spec, r *run.Run) error {
	_, err := spec.Next(s.Status, spec.Complete)
	if err == nil || s.Status != spec.Completed || s.Branch == "" {
		return err
	}
	reopened, lookErr := r.Reopened(ctx)
	if lookErr != nil || reopened {
		return lookErr
	}
	return err
}

// resolved refuses a spec that stopped at a conflict as long as the conflict is
// there: it would be completed, meet it again when it lands, and stand where it
// stood. What has begun in the tree is for Finish to refuse.
func (e *Engine) resolved(ctx context.Context, s *spec.Spec, r *run.Run) error {
	if s.Status != spec.NeedsAttention || reasonCode(s, r.History) != spec.ReasonConflict {
		return nil
	}
	if busy, err := e.midway(ctx, r.Tree); err != nil || busy {
		return err
	}
	return r.Merges(ctx)
}

// finalizeAtHome completes a spec that was worked without a run: in home, by
// hand. The criteria run on a clean checkout of what is committed there.
func (e *Engine) finalizeAtHome(ctx context.Context, s *spec.Spec, r *run.Run) (WorkResult, error) {
	head, err := e.repo.Head(ctx, e.repo.Home())
	if err != nil {
		return WorkResult{}, err
	}
	result := WorkResult{ID: s.ID, Title: s.Title, Status: s.Status, Target: r.Job.Target}
	r.Report, err = r.CheckAt(ctx, head.Hash, s)
	result.Criteria, result.Verification = r.Report.Criteria, verify.Sum(r.Report.Criteria)
	if err != nil {
		return result, err
	}
	if err := r.MayComplete(r.Report); err != nil {
		return result, err
	}
	out, err := e.store.Transition(ctx, store.Change{ID: s.ID, Event: spec.Complete, Edits: r.FinalFields(nil), Edit: r.FinalAt(ctx, head.Hash)})
	if err != nil {
		return result, err
	}
	if err := r.Attest(ctx, out.Commit); err != nil {
		return result, err
	}
	result.Status, result.Commit, result.Branch = spec.Completed, out.Commit, head.Branch
	result.Landed = head.Branch == r.Job.Target
	return result, nil
}
