package engine

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/gitops"
	"chant/providers"
)

// WorkInput says which spec to work and how.
type WorkInput struct {
	ID           string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Prompt       string `json:"prompt,omitempty" jsonschema:"Prompt to use instead of the spec's or the project's"`
	Model        string `json:"model,omitempty" jsonschema:"Model to use instead of the spec's or the project's"`
	Provider     string `json:"provider,omitempty" jsonschema:"Provider to use instead of the spec's or the project's"`
	Timeout      string `json:"timeout,omitempty" jsonschema:"Time limit of the agent, such as 30m"`
	Onto         string `json:"onto,omitempty" jsonschema:"Branch on which it lands, written into the spec"`
	NoMerge      bool   `json:"no_merge,omitempty" jsonschema:"Stop once the spec is completed on its branch"`
	SkipDeps     bool   `json:"skip_deps,omitempty" jsonschema:"Work although dependencies are open"`
	SkipApproval bool   `json:"skip_approval,omitempty" jsonschema:"Work although approval is missing"`
	KeepWorktree bool   `json:"keep_worktree,omitempty" jsonschema:"Leave worktree and branch in place after landing"`
	Continue     bool   `json:"continue,omitempty" jsonschema:"Only go on with a run that was paused or interrupted"`
	Replay       bool   `json:"replay,omitempty" jsonschema:"Work a completed spec again, in a run of its own"`
	DryRun       bool   `json:"dry_run,omitempty" jsonschema:"Say what would be done, do nothing"`
}

// WorkResult is what became of a run.
type WorkResult struct {
	ID       string      `json:"id"`
	Title    string      `json:"title"`
	Status   spec.Status `json:"status"`
	Landed   bool        `json:"landed"`
	Attempt  int         `json:"attempt,omitempty"`
	Provider string      `json:"provider,omitempty"`
	Model    string      `json:"model,omitempty"`
	Branch   string      `json:"branch"`
	Target   string      `json:"target"`
	Worktree string      `json:"worktree,omitempty"` // while it stands
	Commit   string      `json:"commit,omitempty"`   // the complete commit
	Landing  string      `json:"landing,omitempty"`  // the merge commit

	Changed *gitops.ChangeSize `json:"changed,omitempty"` // what it has brought to the target, without .chant

	Rescued  []string         `json:"rescued,omitempty"` // refs and folders that keep what a removed tree held
	Criteria []verify.Verdict `json:"criteria,omitempty"`
	// Verification sums the criteria up; "" where nobody got to them.
	Verification verify.Status `json:"verification_status,omitempty"`

	Agent  *run.AgentReport `json:"agent,omitempty"`
	Reason string           `json:"reason,omitempty"`
	Code   spec.ReasonCode  `json:"reason_code,omitempty"` // what kind of reason that is
	Waits  string           `json:"waits,omitempty"`       // the approval without which it does not land
	Plan   *WorkPlan        `json:"plan,omitempty"`        // only for a dry run
}

// WorkPlan is what a dry run tells.
type WorkPlan struct {
	Base    string        `json:"base"`
	Command []string      `json:"command"`
	Stdin   string        `json:"stdin,omitempty"`
	Env     []string      `json:"env"`              // names only
	Config  []PlannedFile `json:"config,omitempty"` // what is written for the agent beside its prompt
	Prompt  string        `json:"prompt"`
}

// PlannedFile is what a run would write for its agent, with nothing secret in it.
type PlannedFile struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Work takes one spec through a run and lands it, or goes on with a run that
// was interrupted. The result is filled in for a run that began, whatever became
// of it. Errors: NotFound, State, Blocked, Invalid before it begins; Agent,
// Unverified, Conflict, Canceled afterwards.
//
// A run whose agent was put off, by a rate limit say, waits for its time and goes on.
func (e *Engine) Work(ctx context.Context, in WorkInput) (WorkResult, error) {
	b := e.newBudget()
	if err := e.mayWaive(in.SkipApproval); err != nil {
		return WorkResult{}, err
	}
	for {
		result, err := withHold(ctx, e, in.ID, "work", func(h *held) (WorkResult, error) { return e.workHeld(ctx, in, h, b) })
		at, again := againAt(err)
		if !again {
			return result, err
		}
		in.ID, in.Replay = result.ID, false // it has its run now
		if err := e.awaitRetry(ctx, in.ID, at); err != nil {
			return result, wrap(err, in.ID)
		}
	}
}

func (e *Engine) workHeld(ctx context.Context, in WorkInput, h *held, b *budget) (WorkResult, error) {
	set, g, err := e.graph(ctx)
	if err != nil {
		return WorkResult{}, err
	}
	s, err := readable(set, g, h.id)
	if err != nil {
		return WorkResult{}, err
	}
	return e.workSpec(ctx, in, g, s, h, b)
}

// workSpec carries a spec that was read under its lock through a run.
func (e *Engine) workSpec(ctx context.Context, in WorkInput, g *spec.Graph, s *spec.Spec, h *held, b *budget) (WorkResult, error) {
	g, s, err := e.withHomeEdit(ctx, in, g, s, h)
	if err != nil {
		return WorkResult{}, err
	}
	if in.Continue {
		if err := mayContinue(s, h.history); err != nil {
			return WorkResult{}, err
		}
	}
	if err := e.startedHere(ctx, s, h.history); err != nil {
		return WorkResult{}, err
	}
	if g, s, err = e.redirect(ctx, in, g, s, h); err != nil {
		return WorkResult{}, err
	}
	r, from, err := e.resume(ctx, in, s, h)
	if err != nil {
		return WorkResult{}, err
	}
	if r == nil {
		if err := e.notAnew(ctx, in, s, h); err != nil {
			return WorkResult{}, err
		}
		from = run.Branch
		if r, err = e.prepare(ctx, in, g, s, h, b); err != nil {
			return WorkResult{}, err
		}
	}
	if in.DryRun && from != run.Branch {
		return WorkResult{}, fail(State, "chant work "+s.ID, "the run of spec %q goes on at step %q; no agent would start", s.ID, from)
	}
	if in.DryRun {
		return e.plan(ctx, r, s)
	}
	if from != run.Branch && (in.Prompt != "" || in.Model != "" || in.Provider != "" || in.Timeout != "") {
		e.warn(s.ID, fmt.Sprintf("the run goes on at step %s: no agent starts, so prompt, model, provider and time limit do nothing", from))
	}
	if err := e.putAwayOrphan(ctx, r, h); err != nil {
		return WorkResult{}, err
	}
	if err := r.Begin(ctx, from == run.Branch); err != nil {
		return WorkResult{}, err
	}
	last := run.Clean
	if r.Job.NoMerge {
		last = run.Complete
	}
	err = e.obeying(ctx, h, func(ctx context.Context) error { return r.Through(ctx, from, last) })
	return e.ended(ctx, r, err)
}

// readable returns the spec, or why it cannot be read.
func readable(set *store.Set, g *spec.Graph, id string) (*spec.Spec, error) {
	if s := g.Spec(id); s != nil {
		return s, nil
	}
	for _, bad := range set.Invalid {
		if bad.ID == id {
			return nil, bad.Err
		}
	}
	return nil, &spec.NotFoundError{ID: id}
}

// plan renders what a run would do, without doing any of it.
func (e *Engine) plan(ctx context.Context, r *run.Run, s *spec.Spec) (WorkResult, error) {
	planned, err := r.Plan(ctx, s)
	if err != nil {
		return WorkResult{}, err
	}
	launch, prompt := planned.Launch, planned.Prompt
	p := &WorkPlan{Base: r.Job.Base, Command: []string{launch.Path}, Stdin: launch.Stdin, Prompt: prompt}
	for _, arg := range launch.Args {
		p.Command = append(p.Command, launch.Secrets.Text(arg))
	}
	for _, kv := range launch.Env {
		name, _, _ := strings.Cut(kv, "=")
		p.Env = append(p.Env, name)
	}
	p.Env = append(p.Env, providers.LineageKey) // which every start adds by itself
	slices.Sort(p.Env)
	for _, path := range slices.Sorted(maps.Keys(planned.Files)) {
		p.Config = append(p.Config, PlannedFile{filepath.ToSlash(path), planned.Files[path]})
	}
	return WorkResult{
		ID: s.ID, Title: s.Title, Status: s.Status, Attempt: r.Job.Attempt, Provider: r.Job.Provider, Model: r.Job.Model,
		Branch: r.Job.Branch, Target: r.Job.Target, Plan: p,
	}, ctx.Err()
}

// workResult tells what is true after a run, read back from where it stands.
func (e *Engine) workResult(ctx context.Context, r *run.Run, err error) WorkResult {
	calm := context.WithoutCancel(ctx)
	res := WorkResult{
		ID: r.Job.ID, Title: r.Job.Title, Landed: r.Landed, Attempt: r.Job.Attempt, Provider: r.Job.Provider, Model: r.Job.Model,
		Branch: r.Job.Branch, Target: r.Job.Target, Commit: r.Commit, Landing: r.Landing, Rescued: r.Rescued,
		Criteria: r.Report.Criteria, Agent: r.Agent, Waits: r.Waits,
	}
	if r.Report.SpecID != "" {
		res.Verification = verify.Sum(r.Report.Criteria)
	}
	if r.Agent != nil && r.Agent.Model != "" {
		res.Model = r.Agent.Model
	}
	if err != nil {
		res.Reason, res.Code = e.secrets.Text(wrap(err, r.Job.ID).Error()), run.CodeOf(err)
	}
	if s, err := e.store.Get(calm, r.Job.ID); err == nil {
		res.Status = s.Status
	}
	if r.Landed {
		res.Status = spec.Completed // home may have another branch checked out
	}
	if r.Landed && r.Landing != "" {
		res.Changed = sizeOfLanding(calm, e.repo, r.Landing)
	}
	if tree, err := e.treeOf(calm, r.Job.ID); err == nil && tree != "" {
		res.Worktree = filepath.ToSlash(tree)
	}
	return res
}

// sizeOfLanding is what a landing brought to its target, nil where that cannot be told.
func sizeOfLanding(ctx context.Context, repo *gitops.Repo, merge string) *gitops.ChangeSize {
	c, err := repo.ReadCommit(ctx, merge)
	if err != nil || len(c.Parents) == 0 {
		return nil
	}
	size, err := repo.SizeOfChange(ctx, c.Parents[0], merge, store.Dir)
	if err != nil {
		return nil
	}
	return &size
}
