package work

import (
	"context"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
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
func Finalize(ctx context.Context, p *engine.Project, in FinalizeInput) (WorkResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return WorkResult{}, engine.Wrap(err, in.ID)
	}
	if engine.InOwnCopy(p, "finalize", id) {
		result, err := finalizeInRun(ctx, p, id, in)
		return engine.Done(result, err, id)
	}
	return advice.WithHold(ctx, p, id, "finalize", func(h *engine.Held) (WorkResult, error) { return FinalizeHeld(ctx, p, in, h, nil) })
}

// DocEdit changes a document.
type DocEdit = func(*markdown.Document) (*markdown.Document, error)

// FinalizeHeld completes a spec under its lock, with further changes in the same commit if
// also is not nil.
func FinalizeHeld(ctx context.Context, p *engine.Project, in FinalizeInput, h *engine.Held, also DocEdit) (WorkResult, error) {
	s, err := p.Store.Get(ctx, h.ID)
	if err != nil {
		return WorkResult{}, err
	}
	if done, err := finalizeDriver(ctx, p, s, also); done.ID != "" || err != nil {
		return done, err
	}
	if err := advice.RefuseForeignBranch(ctx, p, &s.Spec, h.History); err != nil {
		return WorkResult{}, err
	}
	if s, err = run.TakeHomeEdit(ctx, p, s, h); err != nil {
		return WorkResult{}, err
	}
	facts, err := run.ReadFacts(ctx, p, &s.Spec, h.History)
	if err != nil {
		return WorkResult{}, err
	}
	what := journal.Job{Model: s.Fields.Model, NoMerge: true}
	if last := h.History.Last(); last != nil && last.Agent != nil && s.Branch != "" {
		what.Provider, what.Model = last.Job.Provider, last.Agent.Model
	}
	r := run.NewRun(p, facts.Question(what), h.History)
	if err := checkFinalize(ctx, s, r); err != nil {
		return WorkResult{}, err
	}
	r.Also = also
	if s.Branch == "" {
		if hold := s.ApprovalBlock(); hold.Exists() { // completing in home involves no landing, which would check this
			return WorkResult{}, advice.ApprovalError(&s.Spec, hold)
		}
		return finalizeAtHome(ctx, p, s, r)
	}
	if err := r.Trees.NeedTree(ctx); err != nil {
		return WorkResult{}, err
	}
	if err := checkConflictResolved(ctx, p, s, r); err != nil {
		return WorkResult{}, advice.WithStepOutOfConflict(ctx, p, s.ID, err)
	}
	err = r.Finish(ctx, in.AcceptChanges)
	return concludeRun(ctx, p, r, err)
}

// checkFinalize asks the state machine. A completed spec may be finalized again if its
// branch has changed since chant completed it.
func checkFinalize(ctx context.Context, s *spec.File, r *run.Run) error {
	_, err := spec.Next(s.Status, spec.Complete)
	if err == nil || s.Status != spec.Completed || s.Branch == "" {
		return err
	}
	reopened, lookErr := r.Guard.Reopened(ctx)
	if lookErr != nil || reopened {
		return lookErr
	}
	return err
}

// checkConflictResolved refuses a spec that stopped at a conflict while the conflict
// exists: it would be completed and meet the same conflict at its landing. A merge
// under way in the tree is left to Finish, which refuses it.
func checkConflictResolved(ctx context.Context, p *engine.Project, s *spec.File, r *run.Run) error {
	if s.Status != spec.NeedsAttention || advice.ReasonCode(&s.Spec, r.History) != spec.ReasonConflict {
		return nil
	}
	if busy, err := advice.MergeUnderWay(ctx, p, r.Tree); err != nil || busy {
		return err
	}
	return r.Lander.Merges(ctx)
}

// finalizeAtHome completes a spec that a person worked in home, without a run.
// The criteria run on a clean checkout of home's HEAD.
func finalizeAtHome(ctx context.Context, p *engine.Project, s *spec.File, r *run.Run) (WorkResult, error) {
	head, err := p.Repo.Head(ctx, p.Repo.Home())
	if err != nil {
		return WorkResult{}, err
	}
	result := WorkResult{ID: s.ID, Title: s.Title, Status: s.Status, Target: r.Job.Target}
	r.Report, err = r.Judge.CheckAt(ctx, head.Hash, s)
	result.Criteria, result.Verification = r.Report.Criteria, criteria.Sum(r.Report.Criteria)
	if err != nil {
		return result, err
	}
	if err := r.Judge.MayComplete(r.Report); err != nil {
		return result, err
	}
	out, err := p.Store.Transition(ctx, store.Change{ID: s.ID, Event: spec.Complete, Edits: r.FinalFields(nil), Edit: r.FinalAt(ctx, head.Hash)})
	if err != nil {
		return result, err
	}
	if err := r.Judge.Attest(ctx, out.Commit); err != nil {
		return result, err
	}
	result.Status, result.Commit, result.Branch = spec.Completed, out.Commit, head.Branch
	result.Landed = head.Branch == r.Job.Target
	return result, nil
}
