package work

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/heldout"
	"chant/engine/evidence/journal"
	"chant/engine/prompt"
	"chant/engine/run"
	"chant/engine/run/advice"

	"chant/engine/run/attempt"
	"chant/engine/run/guard"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/verify/linter"
)

// prepareAttempt checks everything that can be checked before anything is created, and returns the run to begin.
func (w *Working) prepareAttempt(ctx context.Context) (*run.Run, error) {
	p, g, s, h, b := w.Project, w.Graph, w.Spec, w.Held, w.Budget
	in := w.Input.withEarlierFlags(&s.Spec, h.History)
	if err := MayStart(p, in, g, s); err != nil {
		return nil, err
	}
	if err := checkReplay(ctx, p, in, &s.Spec); err != nil {
		return nil, err
	}
	// Provider, limits and prompt come from the spec as it was started, which its agent cannot change.
	started, err := run.StartedSpec(ctx, p, &s.Spec, h.History)
	if err != nil {
		return nil, err
	}
	if err := checkVerifiable(p, started); err != nil {
		return nil, err
	}
	// They have to run when the agent has ended.
	if _, err := heldout.Read(p.Store, p.Environ, s.ID); err != nil {
		return nil, err
	}
	if err := b.CheckSpec(started, h.History); err != nil {
		return nil, err
	}
	// Everything is checked by now: a refusal must not leave a commit in home.
	for _, id := range append(g.Drivers(s.ID), s.ID) {
		if err := commitHandEdits(ctx, p, in, g.Spec(id)); err != nil {
			return nil, err
		}
	}
	// After that commit, which may have moved the target.
	facts, err := run.ReadFacts(ctx, p, &s.Spec, h.History)
	if err != nil {
		return nil, err
	}
	set, err := runSettings(ctx, p, in, started, facts.Settings)
	if err != nil {
		return nil, err
	}
	before := in.conversationToResume(h.History)
	if w.choice, err = w.chooseAgent(before, started); err != nil {
		return nil, err
	}
	job := in.attemptJob(before, w.choice.provider, w.choice.model)
	// A target that is only the branch checked out now has to be written down: another one may be later.
	if job.Onto = run.PinnedTarget(p, facts.Target); s.Inherits {
		job.Onto = facts.Target
	}
	if tests := g.RedTests(s.ID); tests != nil && s.Branch == "" {
		if job.Tests, err = run.TestsOf(ctx, p, tests, s.ID); err != nil {
			return nil, engine.Wrap(err, tests.ID)
		}
	}
	if facts.RedFor != "" && facts.Silent {
		return nil, engine.Fail(engine.Invalid, next.Edit.On(s.ID), "spec %q has red_for, and its tests could not land with %q: git ignores .chant", s.ID, facts.RedFor)
	}
	provider, err := usage.Provider(p, job.Provider)
	if err != nil {
		return nil, err
	}
	var warning string
	job.Session, warning = before.resumedBy(job.Provider, provider)
	r := run.NewRun(p, facts.Start(job, set), h.History)
	r.Launcher.Provider = provider
	b.LimitRun(r, started)
	b.WarnUnenforceable(r, started)
	if warning != "" {
		engine.Warn(p, s.ID, warning)
	}
	// A killed process may have trusted a start commit that no branch got.
	if err := r.ForgetStart(ctx); err != nil {
		return nil, err
	}
	// Last, since it writes the agent's files and removes them again.
	if err := r.Launcher.Preflight(ctx, s); err != nil {
		return nil, err
	}
	run.WarnTarget(ctx, p, r.Job.ID, r.Job.Target)
	return r, nil
}

// checkVerifiable refuses a spec with nothing to verify, which could not land. Where the settings let it land, it only
// warns.
func checkVerifiable(p *engine.Project, s *spec.Spec) error {
	switch {
	case s.OwnChecks() || len(prompt.ProjectCommands(p, s.Fields.TargetFiles)) > 0 || p.Store.HasHeldOut(s.ID):
		return nil
	case p.Config.Verify.Require:
		return guard.NothingToVerify(s.ID)
	}
	engine.Warn(p, s.ID, fmt.Sprintf("%s: no criterion and no command, so whatever the agent leaves lands (%s)", criteria.Nothing, next.Guide.On("specs")))
	return nil
}

// withEarlierFlags adds the flags with which a person started the run earlier. What was waived
// stays waived. The other flags apply while the run is taken up again, but no longer once it has
// failed or needs attention.
func (in WorkInput) withEarlierFlags(s *spec.Spec, h *journal.History) WorkInput {
	last := h.Last()
	if last == nil || last.Gone || s.Branch == "" {
		return in
	}
	in.SkipApproval, in.SkipDeps = in.SkipApproval || last.Job.SkipApproval, in.SkipDeps || last.Job.SkipDeps
	// After a failure a person decides anew how to work, except for what was waived.
	if s.Status == spec.Failed || s.Status == spec.NeedsAttention {
		return in
	}
	in.NoMerge, in.KeepWorktree = in.NoMerge || last.Taken.NoMerge, in.KeepWorktree || last.Taken.KeepTree
	if in.Prompt == "" {
		in.Prompt, in.PromptOptions = last.Taken.Prompt, last.Taken.PromptOptions
	}
	in.Timeout = cmp.Or(in.Timeout, last.Taken.Timeout)
	return in
}

// attemptJob returns the job of a new attempt: the flags of the command. Without such flags, provider and model are
// those of the conversation that the attempt resumes, else those passed in, of the spec or the project.
func (in WorkInput) attemptJob(before conversation, provider, model string) journal.Job {
	return journal.Job{
		Provider: cmp.Or(in.Provider, before.Provider, provider), Model: cmp.Or(in.Model, before.Model, model),
		SkipApproval: in.SkipApproval, SkipDeps: in.SkipDeps, NoMerge: in.NoMerge, KeepTree: in.KeepWorktree,
		Prompt: in.Prompt, PromptOptions: in.PromptOptions, Timeout: in.Timeout, Replay: in.Replay,
	}
}

// MayStart checks everything that can keep a spec from starting, in the order in which a person would fix it.
func MayStart(p *engine.Project, in WorkInput, g *spec.Graph, s *spec.File) error {
	if g.Container(s.ID) {
		return refuseContainer(p, g, &s.Spec)
	}
	// A crashed run is in progress already, and work takes it up.
	crashed := s.Status == spec.InProgress && s.Branch != ""
	if _, err := spec.Next(s.Status, spec.Start); err != nil && !crashed && !in.Replay {
		if s.Status == spec.Completed && !s.Landed {
			return engine.Fail(engine.State, next.Merge.On(s.ID), "spec %q is completed but has not landed", s.ID)
		}
		return err
	}
	if a := s.Adopted(); in.Replay && a != nil && a.Moved {
		return engine.Fail(engine.State, next.Adopt.On(), "the change that spec %q adopts is in the archive, %q: write a new change instead", s.ID, a.Dir)
	}
	for _, f := range linter.RulesFor(p, g).BlockingErrors(s) {
		// Waiving dependencies waives a circle as well, since each member would wait for ever.
		if !(in.SkipDeps && slices.Contains([]string{"dependency", "cycle"}, f.Rule)) {
			return engine.Fail(engine.Invalid, next.Edit.On(s.ID), "%s:%d: %s", f.Path, f.Line, f.Message)
		}
	}
	return checkBlockers(in, g, &s.Spec)
}

func refuseContainer(p *engine.Project, g *spec.Graph, s *spec.Spec) error {
	for _, m := range g.Members(s.ID) {
		if g.Ready(m) {
			return engine.Fail(engine.State, next.Work.On(m), "spec %q only holds members and is never worked itself", s.ID)
		}
	}
	return engine.Fail(engine.State, next.List.On(), "spec %q only holds members and is never worked itself; none of them is ready", s.ID)
}

func checkBlockers(in WorkInput, g *spec.Graph, s *spec.Spec) error {
	var open []string
	driver, _ := g.HeldByDriver(s.ID)
	for _, b := range g.Blockers(s.ID) {
		switch {
		case b.Cycle:
		case b.ID == s.ID:
			if !in.SkipApproval || !b.Hold.Waivable() {
				return advice.ApprovalError(s, b.Hold)
			}
		case driver != nil && b.ID == driver.ID && b.Hold.Exists():
			if !in.SkipApproval || !b.Hold.Waivable() {
				return advice.DriverApprovalError(s, driver, b.Hold)
			}
		case !in.SkipDeps:
			open = append(open, fmt.Sprintf("%s (%s)", b.ID, b.Why))
		}
	}
	if len(open) == 0 {
		return nil
	}
	return engine.Fail(engine.Blocked, advice.BlockerStep(g, s.ID, strings.Fields(open[0])[0]), "spec %q waits for %s", s.ID, strings.Join(open, ", "))
}

// commitHandEdits commits what a person wrote into home's copy of the spec, so
// that the run's merge meets no uncommitted file. Once the spec has a run, its
// branch has the copy that counts, and nothing is committed here.
func commitHandEdits(ctx context.Context, p *engine.Project, in WorkInput, s *spec.Spec) error {
	// Once the spec has a run, its branch has the copy that counts.
	if s.Branch != "" || in.DryRun {
		return nil
	}
	return run.CommitAtHome(ctx, p, s)
}

// TimeLimit returns the time limit of each agent, 0 if none was given. Error: Usage for an invalid one.
func (o Options) TimeLimit() (time.Duration, error) {
	if o.Timeout == "" {
		return 0, nil
	}
	limit, err := time.ParseDuration(o.Timeout)
	if err != nil || limit <= 0 {
		return 0, engine.Fail(engine.Usage, next.Work.Help(), "invalid time limit %q (use 90s, 10m or 1h30m)", o.Timeout)
	}
	return limit, nil
}

// runSettings adds the limits and the prompt of a spec, and the flags of the command, to the project's settings.
func runSettings(ctx context.Context, p *engine.Project, in WorkInput, s *spec.Spec, set attempt.Settings) (attempt.Settings, error) {
	limits := usage.LimitsFor(p, s)
	set.Timeout, set.Silence = time.Duration(limits.Time), time.Duration(limits.Silence)
	limit, err := in.TimeLimit()
	if err != nil {
		return set, err
	}
	set.Timeout = cmp.Or(limit, set.Timeout)
	text, err := usage.WorkPrompt(ctx, p, in.Prompt, in.PromptOptions, s)
	set.Prompt, set.Given = text.Text, text.Values
	return set, err
}
