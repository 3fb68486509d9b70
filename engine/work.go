package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	NoMerge      bool   `json:"no_merge,omitempty" jsonschema:"Stop once the spec is completed on its branch"`
	SkipDeps     bool   `json:"skip_deps,omitempty" jsonschema:"Work although dependencies are open"`
	SkipApproval bool   `json:"skip_approval,omitempty" jsonschema:"Work although approval is missing"`
	KeepWorktree bool   `json:"keep_worktree,omitempty" jsonschema:"Leave worktree and branch in place after landing"`
	DryRun       bool   `json:"dry_run,omitempty" jsonschema:"Say what would be done, do nothing"`
}

// WorkResult is what became of a run.
type WorkResult struct {
	ID       string           `json:"id"`
	Title    string           `json:"title"`
	Status   spec.Status      `json:"status"`
	Landed   bool             `json:"landed"`
	Attempt  int              `json:"attempt,omitempty"`
	Provider string           `json:"provider,omitempty"`
	Model    string           `json:"model,omitempty"`
	Branch   string           `json:"branch"`
	Target   string           `json:"target"`
	Worktree string           `json:"worktree,omitempty"` // while it stands
	Commit   string           `json:"commit,omitempty"`   // the complete commit
	Landing  string           `json:"landing,omitempty"`  // the merge commit
	Rescued  string           `json:"rescued,omitempty"`  // ref that keeps what a removed tree held
	Criteria []verify.Verdict `json:"criteria,omitempty"`
	Agent    *run.AgentReport `json:"agent,omitempty"`
	Reason   string           `json:"reason,omitempty"`
	Plan     *WorkPlan        `json:"plan,omitempty"` // only for a dry run
}

// WorkPlan is what a dry run tells.
type WorkPlan struct {
	Base    string   `json:"base"`
	Command []string `json:"command"`
	Stdin   string   `json:"stdin,omitempty"`
	Env     []string `json:"env"` // names only
	Prompt  string   `json:"prompt"`
}

// Work takes one spec through a run and lands it, or goes on with a run that
// was interrupted. The result is filled in for a run that began, whatever became
// of it. Errors: NotFound, State, Blocked, Invalid before it begins; Agent,
// Unverified, Conflict, Canceled afterwards.
func (e *Engine) Work(ctx context.Context, in WorkInput) (WorkResult, error) {
	id, err := e.find(ctx, in.ID)
	if err != nil {
		return WorkResult{}, wrap(err, in.ID)
	}
	h, err := e.hold(ctx, id, "work")
	if err != nil {
		return WorkResult{}, wrap(err, id)
	}
	result, err := e.workHeld(ctx, in, h)
	return done(result, errors.Join(err, h.release()), id)
}

func (e *Engine) workHeld(ctx context.Context, in WorkInput, h *held) (WorkResult, error) {
	set, g, err := e.graph(ctx)
	if err != nil {
		return WorkResult{}, err
	}
	s, err := readable(set, g, h.id)
	if err != nil {
		return WorkResult{}, err
	}
	r, from, err := e.resume(ctx, s, h)
	if err != nil {
		return WorkResult{}, err
	}
	if r == nil {
		from = run.Branch
		if r, err = e.prepare(ctx, in, g, s, h); err != nil {
			return WorkResult{}, err
		}
	}
	if in.DryRun {
		return e.plan(ctx, r, s)
	}
	if err := r.Begin(); err != nil {
		return WorkResult{}, err
	}
	r.KeepTree = in.KeepWorktree
	last := run.Clean
	if in.NoMerge {
		last = run.Complete
	}
	err = r.Through(ctx, from, last)
	return e.workResult(ctx, r, err), err
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

// resume goes on with an attempt whose process was killed after its agent had
// ended, at the step after that. nil means that a new attempt has to begin.
func (e *Engine) resume(ctx context.Context, s *spec.Spec, h *held) (*run.Run, run.Step, error) {
	open := h.history.Open()
	if open == nil || s.Branch == "" || open.Agent == nil {
		return nil, "", nil
	}
	job := open.Job
	job.Attempt = open.Number
	r := e.newRun(job, h, e.settings())
	r.Agent, r.Verdicts, r.Commit = open.Agent, open.Verdict, open.Commit
	switch {
	case s.Status == spec.Completed:
		return r, run.Land, nil
	case s.Status != spec.InProgress:
		return nil, "", nil
	}
	tree, err := e.treeOf(ctx, job.ID)
	if err != nil || tree == "" {
		return nil, "", err
	}
	r.Tree = tree
	return r, run.Collect, nil
}

// prepare checks everything that can be checked before anything is made.
func (e *Engine) prepare(ctx context.Context, in WorkInput, g *spec.Graph, s *spec.Spec, h *held) (*run.Run, error) {
	if err := e.mayStart(ctx, in, g, s, h); err != nil {
		return nil, err
	}
	if err := e.commitHandEdits(ctx, in, s); err != nil {
		return nil, err
	}
	job, err := e.job(ctx, s, h, run.Job{Provider: cmp.Or(in.Provider, s.Fields.Provider, e.config.Defaults.Provider),
		Model: cmp.Or(in.Model, s.Fields.Model, e.config.Defaults.Model)})
	if err != nil {
		return nil, err
	}
	job.Attempt++
	if job.Base, err = e.repo.Resolve(ctx, "refs/heads/"+job.Target); err != nil {
		return nil, err
	}
	if err := e.notDoneOnTarget(ctx, job); err != nil {
		return nil, err
	}
	set, err := e.runSettings(in, s)
	if err != nil {
		return nil, err
	}
	r := e.newRun(job, h, set)
	if r.Provider, err = e.provider(job.Provider); err != nil {
		return nil, err
	}
	return r, r.Preflight(s)
}

// mayStart asks every gate, in the order in which a person would mend things.
func (e *Engine) mayStart(ctx context.Context, in WorkInput, g *spec.Graph, s *spec.Spec, h *held) error {
	if g.Container(s.ID) {
		return e.containerError(g, s)
	}
	crashed := s.Status == spec.InProgress && s.Branch != ""
	if _, err := spec.Next(s.Status, spec.Start); err != nil && !crashed {
		if s.Status == spec.Completed && !s.Landed {
			return fail(State, "chant merge "+s.ID, "spec %q is completed but has not landed", s.ID)
		}
		return err
	}
	for _, f := range spec.Lint(g, s) {
		if f.Severity == spec.Error && !(in.SkipDeps && slices.Contains([]string{"dependency", "cycle"}, f.Rule)) {
			return fail(Invalid, cmp.Or(f.Hint, "chant edit "+s.ID), "%s:%d: %s", f.Path, f.Line, f.Message)
		}
	}
	return blockedBy(in, g.Blockers(s.ID), s)
}

func (e *Engine) containerError(g *spec.Graph, s *spec.Spec) error {
	for _, m := range g.Members(s.ID) {
		if g.Ready(m) {
			return fail(State, "chant work "+m, "spec %q only holds members and is never worked itself", s.ID)
		}
	}
	return fail(State, "chant list", "spec %q only holds members and is never worked itself; none of them is ready", s.ID)
}

func blockedBy(in WorkInput, blockers []spec.Blocker, s *spec.Spec) error {
	var open []string
	for _, b := range blockers {
		switch {
		case b.ID == s.ID && strings.HasPrefix(b.Why, "cycle"):
		case b.ID == s.ID:
			if !in.SkipApproval {
				return fail(Blocked, "chant show "+s.ID, "spec %q: %s", s.ID, approvalText(b.Why))
			}
		case !in.SkipDeps:
			open = append(open, fmt.Sprintf("%s (%s)", b.ID, b.Why))
		}
	}
	if len(open) == 0 {
		return nil
	}
	hint := "chant work " + strings.Fields(open[0])[0]
	return fail(Blocked, hint, "spec %q waits for %s", s.ID, strings.Join(open, ", "))
}

func approvalText(why string) string {
	if why == "rejected" {
		return "approval was refused"
	}
	return why
}

// commitHandEdits commits what a person wrote into home's copy of the spec, so
// that the run's merge meets no uncommitted file. It matters only where home has
// the target checked out and no run speaks for the spec yet.
func (e *Engine) commitHandEdits(ctx context.Context, in WorkInput, s *spec.Spec) error {
	target, err := e.target(ctx)
	if err != nil || s.Branch != "" || in.DryRun {
		return err
	}
	head, err := e.repo.Head(ctx, e.repo.Home())
	if err != nil || head.Branch != target {
		return err
	}
	commit, err := e.store.CommitEdits(ctx, s.ID)
	if err == nil && commit != "" && e.Progress != nil {
		e.Progress(Event{Time: e.Now(), ID: s.ID, Step: run.Branch, Kind: "step", Text: "committed your edits of the spec as " + commit[:7]})
	}
	return err
}

// notDoneOnTarget refuses to work a spec again that the target has as completed
// while home, on another branch, does not know it yet.
func (e *Engine) notDoneOnTarget(ctx context.Context, job run.Job) error {
	src, err := e.repo.ReadFile(ctx, job.Base, store.SpecPath(job.ID))
	if err != nil {
		if errors.Is(err, gitops.ErrNotFound) {
			return nil
		}
		return err
	}
	s, err := spec.Parse(job.ID, store.SpecPath(job.ID), src)
	if err == nil && s.Status == spec.Completed {
		return fail(State, "git merge "+job.Target, "spec %q is completed on %q already; the branch in home does not have it yet", job.ID, job.Target)
	}
	return nil
}

// runSettings adds a command's flags to the project's settings.
func (e *Engine) runSettings(in WorkInput, s *spec.Spec) (run.Settings, error) {
	set := e.settings()
	if in.Timeout != "" {
		limit, err := time.ParseDuration(in.Timeout)
		if err != nil || limit <= 0 {
			return set, fail(Usage, "chant work --help", "time limit %q is no duration such as 90s, 10m or 1h30m", in.Timeout)
		}
		set.Timeout = limit
	}
	var err error
	set.Prompt, err = e.promptText(cmp.Or(in.Prompt, s.Fields.Prompt, e.config.Defaults.Prompt))
	return set, err
}

// promptText reads a prompt: the project's own, else the shipped one.
func (e *Engine) promptText(name string) (string, error) {
	if err := spec.ValidName(name); err != nil {
		return "", fail(Invalid, "chant init", "prompt %q has no valid name", name)
	}
	if src, err := e.store.ReadTree(e.Home(), store.PromptsDir+"/"+name+".md"); err == nil {
		return string(src), nil
	}
	if src, err := run.Prompts.ReadFile("prompts/" + name + ".md"); err == nil {
		return string(src), nil
	}
	return "", fail(NotFound, "ls "+store.PromptsDir, "no prompt %q in %s, and none of that name is built in", name, store.PromptsDir)
}

// plan renders what a run would do, without doing any of it.
func (e *Engine) plan(ctx context.Context, r *run.Run, s *spec.Spec) (WorkResult, error) {
	launch, prompt, err := r.Plan(s)
	if err != nil {
		return WorkResult{}, err
	}
	p := &WorkPlan{Base: r.Job.Base, Command: append([]string{launch.Path}, launch.Args...), Stdin: launch.Stdin, Prompt: prompt}
	for _, kv := range launch.Env {
		name, _, _ := strings.Cut(kv, "=")
		p.Env = append(p.Env, name)
	}
	slices.Sort(p.Env)
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
		Criteria: r.Verdicts, Agent: r.Agent,
	}
	if r.Agent != nil && r.Agent.Model != "" {
		res.Model = r.Agent.Model
	}
	if err != nil {
		res.Reason = wrap(err, r.Job.ID).Error()
	}
	if s, err := e.store.Get(calm, r.Job.ID); err == nil {
		res.Status = s.Status
	}
	if r.Landed {
		res.Status = spec.Completed // home may have another branch checked out
	}
	if tree, err := e.treeOf(calm, r.Job.ID); err == nil && tree != "" {
		res.Worktree = filepath.ToSlash(tree)
	}
	return res
}

// provider finds an agent CLI by name: the project's own, then the built-in ones.
func (e *Engine) provider(name string) (providers.Provider, error) {
	if custom, err := e.customProvider(name); custom != nil || err != nil {
		return custom, err
	}
	if p, ok := providers.BuiltIn(name); ok {
		return p, nil
	}
	return nil, fail(NotFound, "chant init --provider claude", "no provider %q in %s, and none of that name is built in (%s)",
		name, store.ProvidersDir, strings.Join(providers.Names(), ", "))
}
