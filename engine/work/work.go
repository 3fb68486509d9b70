package work

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/providers"
)

// Options say how one spec or many are worked.
type Options struct {
	Prompt       string `json:"prompt,omitempty" jsonschema:"Prompt to use instead of the spec's or the project's"`
	Model        string `json:"model,omitempty" jsonschema:"Model to use instead of the spec's or the project's"`
	Provider     string `json:"provider,omitempty" jsonschema:"Provider to use instead of the spec's or the project's"`
	Timeout      string `json:"timeout,omitempty" jsonschema:"Time limit of the agent, such as 30m"`
	Onto         string `json:"onto,omitempty" jsonschema:"Branch on which it lands, written into the spec"`
	NoMerge      bool   `json:"no_merge,omitempty" jsonschema:"Stop once the spec is completed on its branch"`
	KeepWorktree bool   `json:"keep_worktree,omitempty" jsonschema:"Leave worktree and branch in place after landing"`

	PromptOptions string `json:"-"` // JSON, of a command that is the prompt, as command.ParseOptions reads them
}

// WorkInput says which spec to work and how.
type WorkInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Options
	SkipDeps     bool `json:"skip_deps,omitempty" jsonschema:"Work although dependencies are open"`
	SkipApproval bool `json:"skip_approval,omitempty" jsonschema:"Work although approval is missing"`
	Continue     bool `json:"continue,omitempty" jsonschema:"Only continue a run that was paused or interrupted"`
	Replay       bool `json:"replay,omitempty" jsonschema:"Work a completed spec again, in a run of its own"`
	DryRun       bool `json:"dry_run,omitempty" jsonschema:"Print what would be done, do nothing"`
}

// WorkResult describes a run after it ended.
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
	Worktree string      `json:"worktree,omitempty"` // while it exists
	Commit   string      `json:"commit,omitempty"`   // the complete commit
	Landing  string      `json:"landing,omitempty"`  // the merge commit

	PullRequest string `json:"pull_request,omitempty"` // its address, where a fleet has opened one instead of landing

	Signature *attest.Signature `json:"signature,omitempty"` // of the evidence of the landing; null where no keys are used

	Changed *gitops.ChangeSize `json:"changed,omitempty"` // what it changed in the target, without .chant

	Rescued  []string           `json:"rescued,omitempty"` // refs and folders that keep the contents of a removed tree
	Criteria []criteria.Verdict `json:"criteria,omitempty"`
	// Verification sums the criteria up; "" if they were not judged.
	Verification criteria.Status     `json:"verification_status,omitempty"`
	Verdict      criteria.Conclusion `json:"verdict,omitempty"` // what they prove

	Agent  *journal.AgentReport `json:"agent,omitempty"`
	Reason string               `json:"reason,omitempty"`
	Code   spec.ReasonCode      `json:"reason_code,omitempty"` // what kind of reason that is
	Waits  string               `json:"waits,omitempty"`       // the approval that it needs before it can land
	Plan   *WorkPlan            `json:"plan,omitempty"`        // only for a dry run
	Next   next.Advice          `json:"next,omitzero"`         // for the spec as it is now; an error has a hint instead
}

// WorkPlan is what a dry run reports.
type WorkPlan struct {
	Base    string        `json:"base"`
	Command []string      `json:"command"`
	Stdin   string        `json:"stdin,omitempty"`
	Env     []string      `json:"env"`              // names only
	Config  []PlannedFile `json:"config,omitempty"` // files written for the agent, besides its prompt
	Prompt  string        `json:"prompt"`
}

// PlannedFile is a file that a run would write for its agent, with secrets removed.
type PlannedFile struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Work takes one spec through a run and lands it, or resumes a run that was
// interrupted. The result is filled in for every run that began, also with an
// error. Errors: NotFound, State, Blocked, Invalid before it begins; Agent,
// Unverified, Conflict, Canceled afterwards.
//
// A run whose agent has to wait, for example for a rate limit, waits until that is over and tries again.
func Work(ctx context.Context, p *engine.Project, in WorkInput) (WorkResult, error) {
	b := usage.NewBudget(p)
	if err := engine.MayWaive(p, in.SkipApproval); err != nil {
		return WorkResult{}, err
	}
	for {
		result, err := WorkOnce(ctx, p, in, b)
		at, again := RetryTime(err)
		if !again {
			return result.withNext(ctx, p, err), err
		}
		// It has its run now, so an id that was abbreviated and the replay are settled.
		in.ID, in.Replay = result.ID, false
		if err := awaitRetry(ctx, p, in.ID, at); err != nil {
			return result, engine.Wrap(err, in.ID)
		}
	}
}

// withNext adds the next step of the spec, unless an error has one.
func (r WorkResult) withNext(ctx context.Context, p *engine.Project, err error) WorkResult {
	if err == nil && r.Plan == nil {
		r.Next = advice.After(ctx, p, r.ID)
	}
	return r
}

// WorkOnce is Work for a caller that waits itself: with the error of a run whose agent has to wait (RetryTime), it returns
// at once.
func WorkOnce(ctx context.Context, p *engine.Project, in WorkInput, b *usage.Budget) (WorkResult, error) {
	return advice.WithHold(ctx, p, in.ID, "work", func(h *engine.Held) (WorkResult, error) { return workHeld(ctx, p, in, h, b) })
}

func workHeld(ctx context.Context, p *engine.Project, in WorkInput, h *engine.Held, b *usage.Budget) (WorkResult, error) {
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return WorkResult{}, err
	}
	s, err := engine.ReadableFile(ctx, p, set, g, h.ID)
	if err != nil {
		return WorkResult{}, err
	}
	w := Working{Project: p, Input: in, Held: h, Budget: b, Graph: g, Spec: s}
	return w.Work(ctx)
}

// Working is one working of a spec that this process holds. Its steps are methods, in the order in which Work takes them.
// Those that change the spec replace Graph and Spec by what they are then.
type Working struct {
	Project *engine.Project
	Input   WorkInput
	Held    *engine.Held
	Budget  *usage.Budget // of the command

	Graph *spec.Graph
	Spec  *spec.File

	choice agentChoice // of a new attempt
}

// Work takes the spec through a run.
func (w *Working) Work(ctx context.Context) (WorkResult, error) {
	// First of all, so that everything below decides by the spec as its person has edited it last.
	if err := w.TakeEdit(ctx); err != nil {
		return WorkResult{}, err
	}
	if w.Input.Continue {
		if err := checkContinue(&w.Spec.Spec, w.Held.History); err != nil {
			return WorkResult{}, err
		}
	}
	// Before the branch is used for anything, since it may hold a person's work.
	if err := advice.RefuseForeignBranch(ctx, w.Project, &w.Spec.Spec, w.Held.History); err != nil {
		return WorkResult{}, err
	}
	if err := w.applyOnto(ctx); err != nil {
		return WorkResult{}, err
	}
	// A killed attempt comes first: a new one would repeat what has been done and paid.
	r, from, err := w.resume(ctx)
	if err == nil && r == nil {
		r, err = w.start(ctx)
	}
	if err != nil {
		return WorkResult{}, err
	}
	if w.Input.DryRun {
		return w.planOnly(ctx, r, from)
	}
	w.warnUnused(r, from)
	// Only after all checks, since it removes what is left of the earlier run.
	if err := w.dropRunWithoutBranch(ctx, r); err != nil {
		return WorkResult{}, err
	}
	if err := w.choice.record(w.Project); err != nil {
		return WorkResult{}, err
	}
	measureBefore(w.Project, r)
	if err := r.Begin(ctx); err != nil {
		return WorkResult{}, err
	}
	// From here on "pause" of another process can stop this run.
	err = engine.RunStoppable(ctx, w.Project, w.Held, func(ctx context.Context) error { return executeMeasured(ctx, w.Project, r) })
	return concludeRun(ctx, w.Project, r, err)
}

// start returns the run of a new attempt.
func (w *Working) start(ctx context.Context) (*run.Run, error) {
	if err := advice.RefuseStrayCommits(ctx, w.Project, &w.Spec.Spec, w.Held.History); err != nil {
		return nil, err
	}
	if err := w.refuseNewAttempt(ctx); err != nil {
		return nil, err
	}
	r, err := w.prepareAttempt(ctx)
	if err == nil {
		err = w.skipPrepared(ctx, r)
	}
	return r, err
}

// warnUnused warns of flags that do nothing because the run resumes behind its agent.
func (w *Working) warnUnused(r *run.Run, from journal.Step) {
	in := w.Input
	if !r.Opens && (in.Prompt != "" || in.Model != "" || in.Provider != "" || in.Timeout != "") {
		engine.Warn(w.Project, w.Spec.ID, fmt.Sprintf("the run resumes at step %s; no agent starts, so prompt, model, provider and time limit do nothing", from))
	}
}

// planOnly returns what a run would do, without doing any of it.
func (w *Working) planOnly(ctx context.Context, r *run.Run, from journal.Step) (WorkResult, error) {
	s := w.Spec
	if !r.Opens {
		return WorkResult{}, engine.Fail(engine.State, next.Work.On(s.ID), "the run of spec %q resumes at step %q; no agent would start", s.ID, from)
	}
	planned, err := r.Launcher.Plan(ctx, s)
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
	// Every start adds it.
	p.Env = append(p.Env, providers.LineageKey)
	slices.Sort(p.Env)
	for _, path := range slices.Sorted(maps.Keys(planned.Files)) {
		p.Config = append(p.Config, PlannedFile{filepath.ToSlash(path), planned.Files[path]})
	}
	return WorkResult{
		ID: s.ID, Title: s.Title, Status: s.Status, Attempt: r.Job.Attempt, Provider: r.Job.Provider, Model: r.Job.Model,
		Branch: r.Job.Branch, Target: r.Job.Target, Plan: p,
	}, ctx.Err()
}

// workResult describes a run after it ended, from its state and from the repository.
func workResult(ctx context.Context, p *engine.Project, r *run.Run, err error) WorkResult {
	// A stop must not keep the result from being described.
	calm := context.WithoutCancel(ctx)
	res := WorkResult{
		ID: r.Job.ID, Title: r.Job.Title, Landed: r.Lander.Landed, Attempt: r.Job.Attempt, Provider: r.Job.Provider, Model: r.Job.Model,
		Branch: r.Job.Branch, Target: r.Job.Target, Commit: r.Commit, Landing: r.Lander.Landing, Rescued: r.Trees.Rescued,
		Criteria: r.Judge.Report.Criteria, Agent: r.Launcher.Agent, Waits: r.Waits,
	}
	if r.Judge.Report.SpecID != "" {
		res.Verification, res.Verdict = criteria.Sum(r.Judge.Report.Criteria), r.Judge.Report.Conclusion()
	}
	if agent := r.Launcher.Agent; agent != nil && agent.Model != "" {
		res.Model = agent.Model
	}
	if err != nil {
		res.Reason, res.Code = p.Secrets.Text(engine.Wrap(err, r.Job.ID).Error()), journal.CodeOf(err)
	}
	if s, err := p.Store.Get(calm, r.Job.ID); err == nil {
		res.Status = s.Status
	}
	if r.Lander.Landed {
		// Home may have another branch checked out, whose copy of the spec is older.
		res.Status = spec.Completed
	}
	if r.Lander.Landed && r.Lander.Landing != "" {
		res.Changed = sizeOfLanding(calm, p.Repo, r.Lander.Landing)
		if found, err := landedSignature(calm, p, r.Lander.Landing); err != nil {
			engine.Warn(p, r.Job.ID, "it is not known who has signed the evidence: "+err.Error())
		} else {
			res.Signature = found
		}
	}
	if tree, err := engine.TreeOf(calm, p, r.Job.ID); err == nil && tree != "" {
		res.Worktree = filepath.ToSlash(tree)
	}
	return res
}

// sizeOfLanding returns the size of what a landing changed in its target, nil if that is unknown.
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

// removeTests removes the branch of the failing tests with which a run began: they have landed with it.
func removeTests(ctx context.Context, p *engine.Project, r *run.Run) {
	id, _, err := r.Tests(ctx)
	if err == nil && id != "" {
		_, err = advice.WithHold(ctx, p, id, "merge", func(h *engine.Held) (WorkResult, error) { return mergeHeld(ctx, p, MergeInput{}, h) })
	}
	if err != nil && ctx.Err() == nil {
		engine.Warn(p, id, fmt.Sprintf("its tests have landed, and their branch stays: %s", err))
	}
}

// concludeRun completes the drivers of a spec that landed without a merge by this process, and returns the result of
// the run and its error, with the next step out of a conflict.
func concludeRun(ctx context.Context, p *engine.Project, r *run.Run, err error) (WorkResult, error) {
	// It was merged by hand, or by a process that died before it completed the drivers.
	if err == nil && r.Lander.Landed && r.Lander.Landing == "" {
		err = settleDriversOf(ctx, p, r.Job.ID, "Its last member "+r.Job.ID+" is done.")
	}
	if err == nil && r.Lander.Landed {
		removeTests(ctx, p, r)
	}
	result := workResult(ctx, p, r, err)
	return result, advice.WithStepOutOfConflict(ctx, p, r.Job.ID, err)
}
