package work

import (
	"cmp"
	"context"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/prompt"

	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/guard"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/providers/cli"
)

// MergeInput says which completed spec to land.
type MergeInput struct {
	ID           string `json:"id" jsonschema:"Spec ID (full or partial)"`
	KeepWorktree bool   `json:"keep_worktree,omitempty" jsonschema:"Leave worktree and branch in place after landing"`
	Rebase       bool   `json:"rebase,omitempty" jsonschema:"Replay the branch on the target first"`
	Agent        bool   `json:"auto,omitempty" jsonschema:"Merge the target into the branch first, an agent resolves conflicts"`
	Provider     string `json:"provider,omitempty" jsonschema:"Provider of that agent"`
	Model        string `json:"model,omitempty" jsonschema:"Model of that agent"`
	Adopt        string `json:"adopt,omitempty" jsonschema:"Take over this branch, which chant did not start: check it as a run and land it"`

	linedUp func() // called when the branch has its place in the queue; may be nil
}

// Merge lands a spec that is completed on its branch and has not landed yet,
// and cleans up after it. With Rebase or Agent it first brings the branch up to
// date, which leads a spec out of a conflict; then the criteria run again. Errors:
// State when it is not completed, Blocked when approval is missing, Conflict,
// Unverified when the criteria do not hold on the merged tree, Agent.
func Merge(ctx context.Context, p *engine.Project, in MergeInput) (WorkResult, error) {
	if in.Adopt != "" {
		result, err := adopt(ctx, p, in)
		return result.withNext(ctx, p, err), err
	}
	result, err := advice.WithHold(ctx, p, in.ID, "merge", func(h *engine.Held) (WorkResult, error) { return mergeHeld(ctx, p, in, h) })
	return result.withNext(ctx, p, err), err
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
	if err := landsAlone(ctx, p, s, h.History); err != nil && !in.catchesUp() {
		return WorkResult{}, err
	}
	what := journal.Job{Model: s.Fields.Model, KeepTree: in.KeepWorktree}
	// What a person has waived when the run started stays waived.
	if last := h.History.Last(); last != nil && !last.Gone {
		what.SkipApproval = last.Job.SkipApproval
	}
	if err := checkBlockers(WorkInput{SkipDeps: true, SkipApproval: what.SkipApproval}, g, s); err != nil {
		return WorkResult{}, err
	}
	facts, err := run.ReadFacts(ctx, p, s, h.History)
	if err != nil {
		return WorkResult{}, err
	}
	r := run.NewRun(p, facts.Rest(what, journal.Land), h.History)
	r.Lander.LinedUp = in.linedUp
	// The machine that has no journal of the run cannot know who ticked the boxes.
	if last := h.History.Last(); last == nil || last.Gone {
		return WorkResult{}, r.Guard.NotCompletedHere()
	}
	if in.catchesUp() {
		// Before the attempt begins, so that a refusal leaves no record.
		if r, err = (catchingUp{p, in, s, facts, what, h.History}).prepare(ctx); err != nil {
			return WorkResult{}, err
		}
	}
	if err := r.Begin(ctx); err != nil {
		return WorkResult{}, err
	}
	return concludeRun(ctx, p, r, executeMeasured(ctx, p, r))
}

// landsAlone refuses tests that must fail until another spec is done, unless they have landed with that.
func landsAlone(ctx context.Context, p *engine.Project, s *spec.Spec, h *journal.History) error {
	started, err := run.StartedSpec(ctx, p, s, h)
	if err != nil || started.Fields.RedFor == "" || s.Landed {
		return err
	}
	return guard.RedAlone(s.ID, started.Fields.RedFor)
}

func (in MergeInput) catchesUp() bool { return in.Rebase || in.Agent }

// catchingUp is a merge that first brings the branch up to date with the target.
type catchingUp struct {
	p       *engine.Project
	in      MergeInput
	s       *spec.Spec
	facts   run.Facts
	asked   journal.Job
	history *journal.History
}

// prepare returns the run that rebases the branch, or has an agent resolve its conflicts, and lands it.
func (c catchingUp) prepare(ctx context.Context) (*run.Run, error) {
	r := run.NewRun(c.p, c.facts.CatchUp(c.asked, journal.Rebase), c.history)
	if c.in.Agent {
		var err error
		if r, err = c.resolver(ctx); err != nil {
			return nil, err
		}
	}
	// Otherwise it is judged again, which finds a missing approval.
	if c.s.Status == spec.Completed {
		if err := r.Guard.MayCatchUp(ctx); err != nil {
			return nil, err
		}
	}
	return r, r.Trees.NeedTree(ctx)
}

// resolver returns the run whose agent resolves the conflicts with the target.
func (c catchingUp) resolver(ctx context.Context) (*run.Run, error) {
	started, err := run.StartedSpec(ctx, c.p, c.s, c.history)
	if err != nil {
		return nil, err
	}
	step := next.Merge.On(c.s.ID).Flag("auto")
	if c.in.Rebase {
		return nil, engine.Fail(engine.Usage, step, "a branch is either rebased or merged by an agent")
	}
	job := c.asked
	job.Provider, job.Model = cmp.Or(c.in.Provider, usage.ProviderOf(c.p, started)), cmp.Or(c.in.Model, usage.ModelOf(c.p, started))
	if job.Provider == cli.ShellName {
		return nil, engine.Fail(engine.Usage, step.Set("provider", "claude"), "provider %q runs the spec's script and resolves no conflicts", job.Provider)
	}
	plan := c.facts.CatchUp(job, journal.Resolve)
	if plan.Settings.Prompt, err = prompt.Text(c.p, prompt.MergeConflict); err != nil {
		return nil, err
	}
	r := run.NewRun(c.p, plan, c.history)
	if r.Launcher.Provider, err = usage.Provider(c.p, job.Provider); err != nil {
		return nil, err
	}
	// The agent that resolves conflicts counts toward the spec's limits as well.
	b := usage.NewBudget(c.p)
	if err := b.CheckSpec(started, c.history); err != nil {
		return nil, err
	}
	b.LimitRun(r, started)
	return r, nil
}
