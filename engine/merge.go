package engine

import (
	"cmp"
	"context"

	"chant/engine/prompt"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/providers/cli"
)

// MergeInput says which completed spec to land.
type MergeInput struct {
	ID           string `json:"id" jsonschema:"Spec ID (full or partial)"`
	KeepWorktree bool   `json:"keep_worktree,omitempty" jsonschema:"Leave worktree and branch in place after landing"`
	Rebase       bool   `json:"rebase,omitempty" jsonschema:"Replay the branch on the target first"`
	Agent        bool   `json:"agent,omitempty" jsonschema:"Merge the target into the branch first, an agent resolves conflicts"`
	Provider     string `json:"provider,omitempty" jsonschema:"Provider of that agent"`
	Model        string `json:"model,omitempty" jsonschema:"Model of that agent"`
}

// Merge lands a spec that is completed on its branch and has not landed yet,
// and cleans up after it. With Rebase or Agent it first brings the branch up to
// date, which leads a spec out of a conflict; then the criteria run again. Errors:
// State when it is not completed, Blocked when approval is missing, Conflict,
// Unverified when the criteria do not hold on the merged tree, Agent.
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
	if err := e.startedHere(ctx, s, h.history); err != nil {
		return WorkResult{}, err
	}
	switch {
	case s.Branch == "" && s.Status == spec.Completed:
		return WorkResult{}, fail(State, "chant show "+s.ID, "spec %q has landed already", s.ID)
	case s.Branch == "":
		return WorkResult{}, fail(State, "chant work "+s.ID, "spec %q is %s and has no branch to land", s.ID, s.Status)
	case s.Status != spec.Completed && !(in.catchesUp() && s.Status == spec.NeedsAttention):
		return WorkResult{}, fail(State, "chant finalize "+s.ID, "spec %q is %s on its branch, only a completed one can land", s.ID, s.Status)
	}
	what := run.Job{Model: s.Fields.Model, KeepTree: in.KeepWorktree}
	if last := h.history.Last(); last != nil && !last.Gone {
		what.SkipApproval = last.Job.SkipApproval
	}
	if err := blockedBy(WorkInput{SkipDeps: true, SkipApproval: what.SkipApproval}, g, s); err != nil {
		return WorkResult{}, err
	}
	job, err := e.job(ctx, s, h, what)
	if err != nil {
		return WorkResult{}, err
	}
	r := e.newRun(job, h, e.settings())
	if last := h.history.Last(); last == nil || last.Gone {
		return WorkResult{}, r.NotBegun()
	}
	if in.catchesUp() {
		return e.mergeAnew(ctx, in, s, r)
	}
	if err := r.Begin(ctx, false); err != nil {
		return WorkResult{}, err
	}
	err = r.Through(ctx, run.Land, run.Clean)
	return e.ended(ctx, r, err)
}

func (in MergeInput) catchesUp() bool { return in.Rebase || in.Agent }

// mergeAnew brings the branch up to date with the target and lands it.
func (e *Engine) mergeAnew(ctx context.Context, in MergeInput, s *spec.Spec, r *run.Run) (WorkResult, error) {
	how := run.Rebase
	if in.Agent {
		how = run.Resolve
		started, err := e.started(ctx, s, &held{id: s.ID, history: r.History})
		if err != nil {
			return WorkResult{}, err
		}
		if err := e.resolver(in, started, r); err != nil {
			return WorkResult{}, err
		}
		b := e.newBudget()
		if err := b.refuse(started, r.History); err != nil {
			return WorkResult{}, err
		}
		b.hold(r, started)
	}
	if s.Status == spec.Completed { // else it is judged anew, and may have to wait then
		if err := r.MayLand(ctx); err != nil {
			return WorkResult{}, err
		}
	}
	if err := r.NeedTree(ctx); err != nil {
		return WorkResult{}, err
	}
	if err := r.Begin(ctx, false); err != nil {
		return WorkResult{}, err
	}
	err := r.CatchUp(ctx, how)
	return e.ended(ctx, r, err)
}

// resolver chooses the agent that resolves conflicts and what it is told.
func (e *Engine) resolver(in MergeInput, s *spec.Spec, r *run.Run) error {
	if in.Rebase {
		return fail(Usage, "chant merge "+s.ID+" --agent", "a branch is either rebased or merged by an agent")
	}
	r.Job.Provider = cmp.Or(in.Provider, e.providerOf(s))
	r.Job.Model = cmp.Or(in.Model, e.modelOf(s))
	if r.Job.Provider == cli.ShellName {
		return fail(Usage, "chant merge "+s.ID+" --agent --provider claude", "provider %q runs the spec's script and resolves no conflicts", r.Job.Provider)
	}
	var err error
	if r.Provider, err = e.provider(r.Job.Provider); err != nil {
		return err
	}
	r.Settings.Prompt, err = e.promptText(prompt.MergeConflict)
	return err
}
