package work

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/judge"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/markdown"
)

// FinalizeInput says which spec to complete.
type FinalizeInput struct {
	ID            string `json:"id" jsonschema:"Spec ID (full or partial)"`
	AcceptChanges bool   `json:"accept_changes,omitempty" jsonschema:"Accept weakened checks, and what was changed in criteria, other specs or settings, on the run's branch"`
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
	// Inside its own run an agent asks while its own process holds the lock, so none is taken.
	if engine.AppliesToOwnCopy(p, "finalize", id) {
		result, err := finalizeInRun(ctx, p, id, in)
		return engine.Done(result, err, id)
	}
	result, err := advice.WithHold(ctx, p, id, "finalize", func(h *engine.Held) (WorkResult, error) { return FinalizeHeld(ctx, p, in, h, nil) })
	return result.withNext(ctx, p, err), err
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
	// A driver has no run of its own, so it is settled by its members.
	if contains, err := mayContain(ctx, p, &s.Spec); err != nil {
		return WorkResult{}, err
	} else if contains {
		if done, err := finalizeDriver(ctx, p, s, also); done.ID != "" || err != nil {
			return done, err
		}
	}
	// Before the edit at home is taken over to that branch.
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
	// The agent that did the work is named in the result and the front matter.
	if last := h.History.Last(); last != nil && last.Agent != nil && s.Branch != "" {
		what.Provider, what.Model = last.Job.Provider, last.Agent.Model
	}
	plan := facts.Question(what)
	if s.Branch != "" {
		plan = facts.Finish(what, in.AcceptChanges)
	}
	r := run.NewRun(p, plan, h.History)
	if err := checkFinalize(ctx, s, r); err != nil {
		return WorkResult{}, err
	}
	r.ExtraEdit = also
	if s.Branch == "" {
		// Completing in home involves no landing, which would check this.
		if hold := s.ApprovalBlock(); hold.Exists() {
			return WorkResult{}, advice.ApprovalError(&s.Spec, hold)
		}
		return finalizeAtHome(ctx, p, s, r)
	}
	if err := r.Trees.NeedTree(ctx); err != nil {
		return WorkResult{}, err
	}
	// Before the criteria run, which take long and would end at the same conflict.
	if err := checkConflictResolved(ctx, p, s, r); err != nil {
		return WorkResult{}, advice.WithStepOutOfConflict(ctx, p, s.ID, err)
	}
	measureBefore(p, r)
	err = r.Finish(ctx)
	return concludeRun(ctx, p, r, err)
}

// checkFinalize asks the state machine. A completed spec may be finalized again if its
// branch has changed since chant completed it.
func checkFinalize(ctx context.Context, s *spec.File, r *run.Run) error {
	_, err := spec.Next(s.Status, spec.Complete)
	if err == nil || s.Status != spec.Completed || s.Branch == "" {
		return err
	}
	// Work that was added to the branch since is judged again.
	reopened, lookErr := r.Guard.IsReopened(ctx, r.LastComplete())
	if lookErr != nil || reopened {
		return lookErr
	}
	return err
}

// checkConflictResolved refuses a spec that stopped at a conflict while the conflict
// exists: it would be completed and meet the same conflict at its landing. A merge
// under way in the tree is left to Finish, which refuses it.
func checkConflictResolved(ctx context.Context, p *engine.Project, s *spec.File, r *run.Run) error {
	if s.Status != spec.NeedsAttention || advice.ReasonCode(&s.Spec, r.Journal.History()) != spec.ReasonConflict {
		return nil
	}
	if busy, err := advice.MergeUnderWay(ctx, p, r.Trees.Tree); err != nil || busy {
		return err
	}
	return r.Lander.Merges(ctx)
}

// finalizeAtHome completes a spec that a person worked in home, without a run.
func finalizeAtHome(ctx context.Context, p *engine.Project, s *spec.File, r *run.Run) (WorkResult, error) {
	c, err := checkAtHome(ctx, p, s, r)
	if err != nil {
		return c.Result, err
	}
	out, err := p.Store.Transition(ctx, c.Change)
	if err != nil {
		return c.Result, err
	}
	return c.Result, c.Conclude(ctx, out.Commit)
}

// Completion is the completion of a spec without a run: its criteria hold, and the change that records this is not yet
// written.
type Completion struct {
	Change store.Change
	Result WorkResult

	judge  *judge.Judge
	report criteria.Report
	branch string // which home has checked out
	target string
}

// Conclude records the evidence of a completion that was committed.
func (c *Completion) Conclude(ctx context.Context, commit string) error {
	if err := c.judge.Attest(ctx, c.report, commit); err != nil {
		return err
	}
	c.Result.Status, c.Result.Commit, c.Result.Branch = spec.Completed, commit, c.branch
	// In home, the branch that is checked out may be another than the target.
	c.Result.Landed = c.branch == c.target
	return nil
}

// checkAtHome runs the criteria of a spec on a clean checkout of home's HEAD.
func checkAtHome(ctx context.Context, p *engine.Project, s *spec.File, r *run.Run) (*Completion, error) {
	c := &Completion{judge: r.Judge, target: r.Job.Target, Result: WorkResult{ID: s.ID, Title: s.Title, Status: s.Status, Target: r.Job.Target}}
	head, err := p.Repo.Head(ctx, p.Repo.Home())
	if err != nil {
		return c, err
	}
	c.branch = head.Branch
	// On a checkout of HEAD, since uncommitted files could make the criteria hold.
	c.report, err = r.Judge.CheckAt(ctx, head.Hash, s)
	c.Result.Criteria, c.Result.Verification = c.report.Criteria, criteria.Sum(c.report.Criteria)
	if err != nil {
		return c, err
	}
	if err := r.Judge.MayComplete(c.report); err != nil {
		return c, err
	}
	c.Change = store.Change{ID: s.ID, Event: spec.Complete, Edits: r.FinalFields(c.report, nil), Edit: r.FinalAt(ctx, c.report, head.Hash)}
	return c, nil
}

// CheckCompletion checks whether a held spec may be completed without a run, after the events via. It returns nil if the
// spec has a run or members, which FinalizeHeld completes. s is the spec as it is to be completed. Errors are those of
// FinalizeHeld.
func CheckCompletion(ctx context.Context, p *engine.Project, h *engine.Held, s *spec.File, via []spec.Event) (*Completion, error) {
	if contains, err := mayContain(ctx, p, &s.Spec); err != nil || contains || s.Branch != "" {
		return nil, err
	}
	if err := advice.RefuseForeignBranch(ctx, p, &s.Spec, h.History); err != nil {
		return nil, err
	}
	facts, err := run.ReadFacts(ctx, p, &s.Spec, h.History)
	if err != nil {
		return nil, err
	}
	if hold := s.ApprovalBlock(); hold.Exists() {
		return nil, advice.ApprovalError(&s.Spec, hold)
	}
	c, err := checkAtHome(ctx, p, s, run.NewRun(p, facts.Question(journal.Job{Model: s.Fields.Model, NoMerge: true}), h.History))
	c.Change.Via = via
	return c, err
}

// mayContain reports whether a spec has members, or could have.
func mayContain(ctx context.Context, p *engine.Project, s *spec.Spec) (bool, error) {
	// Asked of the spec first, since listing all ids reads branches.
	if s.Fields.Type.Container() || len(s.Fields.Members) > 0 {
		return true, nil
	}
	ids, err := p.Store.IDs(ctx)
	return slices.ContainsFunc(ids, func(id string) bool { return spec.MemberOf(id, s.ID) }), err
}

// finalizeInRun answers the run's agent whether chant will complete the spec once
// the agent's turn has ended.
func finalizeInRun(ctx context.Context, p *engine.Project, id string, in FinalizeInput) (WorkResult, error) {
	// Only a person may accept, and this is the agent's call.
	if in.AcceptChanges {
		return WorkResult{}, engine.RefusedInside(id)
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return WorkResult{}, err
	}
	result := WorkResult{ID: id, Title: s.Title, Status: s.Status, Branch: s.Branch}
	if result.Criteria, err = WouldComplete(ctx, p, s); err != nil {
		return result, err
	}
	engine.Warn(p, id, "the criteria hold; chant completes the spec when your turn has ended")
	return result, nil
}

// WouldComplete runs the criteria in the run's tree as it is.
func WouldComplete(ctx context.Context, p *engine.Project, s *spec.File) ([]criteria.Verdict, error) {
	result, err := verify.VerifyByRunning(ctx, p, s)
	if err == nil {
		r := run.NewQuestionRun(p, journal.Job{ID: s.ID}, &journal.History{})
		// The criteria of the tree as it is: the run itself judges what is committed, after the agent.
		err = r.Judge.MayComplete(criteria.Report{Criteria: result.Verdicts})
	}
	return result.Verdicts, err
}
