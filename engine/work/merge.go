package work

import (
	"cmp"
	"context"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/agent"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/prompt"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/usage"
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
func Merge(ctx context.Context, p *engine.Project, in MergeInput) (WorkResult, error) {
	return advice.WithHold(ctx, p, in.ID, "merge", func(h *engine.Held) (WorkResult, error) { return mergeHeld(ctx, p, in, h) })
}

func mergeHeld(ctx context.Context, p *engine.Project, in MergeInput, h *engine.Held) (WorkResult, error) {
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return WorkResult{}, err
	}
	s, err := engine.Readable(set, g, h.ID)
	if err != nil {
		return WorkResult{}, err
	}
	if err := advice.RefuseForeignBranch(ctx, p, s, h.History); err != nil {
		return WorkResult{}, err
	}
	switch {
	case s.Branch == "" && s.Status == spec.Completed:
		return WorkResult{}, engine.Fail(engine.State, next.Show.On(s.ID), "spec %q has landed already", s.ID)
	case s.Branch == "":
		return WorkResult{}, engine.Fail(engine.State, next.Work.On(s.ID), "spec %q is %s and has no branch to land", s.ID, s.Status)
	case s.Status != spec.Completed && !(in.catchesUp() && s.Status == spec.NeedsAttention):
		return WorkResult{}, engine.Fail(engine.State, next.Finalize.On(s.ID), "spec %q is %s on its branch, only a completed one can land", s.ID, s.Status)
	}
	what := journal.Job{Model: s.Fields.Model, KeepTree: in.KeepWorktree}
	if last := h.History.Last(); last != nil && !last.Gone {
		what.SkipApproval = last.Job.SkipApproval
	}
	if err := checkBlockers(WorkInput{SkipDeps: true, SkipApproval: what.SkipApproval}, g, s); err != nil {
		return WorkResult{}, err
	}
	job, err := run.Job(ctx, p, s, h.History, what)
	if err != nil {
		return WorkResult{}, err
	}
	r := run.NewRun(p, job, h.History, run.SettingsOf(p))
	if last := h.History.Last(); last == nil || last.Gone {
		return WorkResult{}, r.Guard.NotBegun()
	}
	if in.catchesUp() {
		return catchUpAndMerge(ctx, p, in, s, r)
	}
	if err := r.Begin(ctx, false); err != nil {
		return WorkResult{}, err
	}
	err = r.Through(ctx, journal.Land, journal.Clean)
	return concludeRun(ctx, p, r, err)
}

func (in MergeInput) catchesUp() bool { return in.Rebase || in.Agent }

// catchUpAndMerge brings the branch up to date with the target and lands it.
func catchUpAndMerge(ctx context.Context, p *engine.Project, in MergeInput, s *spec.Spec, r *run.Run) (WorkResult, error) {
	how := journal.Rebase
	if in.Agent {
		how = journal.Resolve
		started, err := run.Started(ctx, p, s, r.History)
		if err != nil {
			return WorkResult{}, err
		}
		if err := chooseResolver(p, in, started, r); err != nil {
			return WorkResult{}, err
		}
		b := usage.NewBudget(p)
		if err := b.Refuse(started, r.History); err != nil {
			return WorkResult{}, err
		}
		b.Hold(r, started)
	}
	if s.Status == spec.Completed { // else it is judged again, which finds a missing approval
		if err := r.Guard.MayLand(ctx); err != nil {
			return WorkResult{}, err
		}
	}
	if err := r.Trees.NeedTree(ctx); err != nil {
		return WorkResult{}, err
	}
	if err := r.Begin(ctx, false); err != nil {
		return WorkResult{}, err
	}
	err := r.CatchUp(ctx, how)
	return concludeRun(ctx, p, r, err)
}

// chooseResolver chooses the agent that resolves conflicts, and its prompt.
func chooseResolver(p *engine.Project, in MergeInput, s *spec.Spec, r *run.Run) error {
	if in.Rebase {
		return engine.Fail(engine.Usage, next.Merge.On(s.ID).Flag("agent"), "a branch is either rebased or merged by an agent")
	}
	r.Job.Provider = cmp.Or(in.Provider, agent.ProviderOf(p, s))
	r.Job.Model = cmp.Or(in.Model, agent.ModelOf(p, s))
	if r.Job.Provider == cli.ShellName {
		return engine.Fail(engine.Usage, next.Merge.On(s.ID).Flag("agent").Set("provider", "claude"), "provider %q runs the spec's script and resolves no conflicts", r.Job.Provider)
	}
	var err error
	if r.Launcher.Provider, err = agent.Provider(p, r.Job.Provider); err != nil {
		return err
	}
	r.Settings.Prompt, err = agent.PromptText(p, prompt.MergeConflict)
	return err
}
