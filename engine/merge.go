package engine

import (
	"context"

	"chant/engine/run"
	"chant/engine/spec"
)

// MergeInput says which completed spec to land.
type MergeInput struct {
	ID           string `json:"id" jsonschema:"Spec ID (full or partial)"`
	KeepWorktree bool   `json:"keep_worktree,omitempty" jsonschema:"Leave worktree and branch in place after landing"`
}

// Merge lands a spec that is completed on its branch and has not landed yet,
// and cleans up after it. Errors: State when it is not completed, Blocked when
// approval is missing, Conflict, Unverified when the criteria do not hold on the
// merged tree.
func (e *Engine) Merge(ctx context.Context, in MergeInput) (WorkResult, error) {
	return withHold(ctx, e, in.ID, "merge", func(h *held) (WorkResult, error) { return e.mergeHeld(ctx, in, h) })
}

func (e *Engine) mergeHeld(ctx context.Context, in MergeInput, h *held) (WorkResult, error) {
	set, g, err := e.graph(ctx)
	if err != nil {
		return WorkResult{}, err
	}
	s, err := readable(set, g, h.id)
	if err != nil {
		return WorkResult{}, err
	}
	switch {
	case s.Branch == "" && s.Status == spec.Completed:
		return WorkResult{}, fail(State, "chant show "+s.ID, "spec %q has landed already", s.ID)
	case s.Branch == "":
		return WorkResult{}, fail(State, "chant work "+s.ID, "spec %q is %s and has no branch to land", s.ID, s.Status)
	case s.Status != spec.Completed:
		return WorkResult{}, fail(State, "chant finalize "+s.ID, "spec %q is %s on its branch, only a completed one can land", s.ID, s.Status)
	}
	what := run.Job{Model: s.Fields.Model}
	if last := h.history.Last(); last != nil && !last.Gone {
		what.SkipApproval = last.Job.SkipApproval
	}
	if err := blockedBy(WorkInput{SkipDeps: true, SkipApproval: what.SkipApproval}, g.Blockers(s.ID), s); err != nil {
		return WorkResult{}, err
	}
	job, err := e.job(ctx, s, h, what)
	if err != nil {
		return WorkResult{}, err
	}
	r := e.newRun(job, h, e.settings())
	r.KeepTree = in.KeepWorktree
	if err := r.Begin(false); err != nil {
		return WorkResult{}, err
	}
	err = r.Through(ctx, run.Land, run.Clean)
	return e.workResult(ctx, r, err), err
}
