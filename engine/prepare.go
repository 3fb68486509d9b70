package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/verify"
)

// prepare checks everything that can be checked before anything is made.
func (e *Engine) prepare(ctx context.Context, in WorkInput, g *spec.Graph, s *spec.Spec, h *held, b *budget) (*run.Run, error) {
	in = in.asBefore(s, h.history)
	if err := e.mayStart(in, g, s); err != nil {
		return nil, err
	}
	if err := e.mayReplay(ctx, in, s); err != nil {
		return nil, err
	}
	started, err := e.started(ctx, s, h)
	if err != nil {
		return nil, err
	}
	if err := e.mayVerify(started); err != nil {
		return nil, err
	}
	if err := b.refuse(started, h.history); err != nil {
		return nil, err
	}
	for _, id := range append(g.Drivers(s.ID), s.ID) {
		if err := e.commitHandEdits(ctx, in, g.Spec(id)); err != nil {
			return nil, err
		}
	}
	before := in.continued(h.history)
	job, err := e.job(ctx, s, h, run.Job{Provider: cmp.Or(in.Provider, before.Provider, e.providerOf(started)),
		Model: cmp.Or(in.Model, before.Model, e.modelOf(started)), SkipApproval: in.SkipApproval, SkipDeps: in.SkipDeps,
		NoMerge: in.NoMerge, KeepTree: in.KeepWorktree, Prompt: in.Prompt, Timeout: in.Timeout, Replay: in.Replay})
	if err != nil {
		return nil, err
	}
	job.Attempt++
	if job.Base, err = e.repo.Resolve(ctx, "refs/heads/"+job.Target); err != nil {
		return nil, err
	}
	if job.Onto = e.pinned(job.Target); s.Inherits {
		job.Onto = job.Target
	}
	set, err := e.runSettings(in, started)
	if err != nil {
		return nil, err
	}
	r := e.newRun(job, h, set)
	b.hold(r, started)
	if r.Provider, err = e.provider(job.Provider); err != nil {
		return nil, err
	}
	b.warnMute(r, started)
	e.goOn(r, before)
	if err := r.Preflight(ctx, s); err != nil {
		return nil, err
	}
	e.sayTarget(ctx, r)
	return r, nil
}

// mayVerify refuses to start what could not land because there is nothing to verify, and warns of it where the
// settings let it land.
func (e *Engine) mayVerify(s *spec.Spec) error {
	switch {
	case verify.PlanFor(s, s, e.config.Verify).Any():
		return nil
	case e.config.Verify.Require:
		return run.NothingToVerify(s.ID)
	}
	e.warn(s.ID, fmt.Sprintf("%s: no criterion and no command, so whatever the agent leaves lands (chant guide specs)", verify.Nothing))
	return nil
}

// started is a spec as it was when its work began, or as a person has changed it since: who
// works at it, and what that may use, is nothing that an agent decides by an edit of its
// copy.
func (e *Engine) started(ctx context.Context, s *spec.Spec, h *held) (*spec.Spec, error) {
	if s.Branch == "" {
		return s, nil
	}
	start, err := e.newRun(run.Job{ID: s.ID}, h, e.settings()).StartOf(ctx, s)
	if err != nil {
		return nil, err
	}
	start.Branch = s.Branch
	return start, nil
}

// asBefore adds what a person has asked of the run before. What was waived for it stays
// waived; all else holds while it goes on, and no longer where it has come to an end that
// a person has seen.
func (in WorkInput) asBefore(s *spec.Spec, h *run.History) WorkInput {
	last := h.Last()
	if last == nil || last.Gone || s.Branch == "" {
		return in
	}
	in.SkipApproval, in.SkipDeps = in.SkipApproval || last.Job.SkipApproval, in.SkipDeps || last.Job.SkipDeps
	if s.Status == spec.Failed || s.Status == spec.NeedsAttention {
		return in
	}
	in.NoMerge, in.KeepWorktree = in.NoMerge || last.Taken.NoMerge, in.KeepWorktree || last.Taken.KeepTree
	in.Prompt, in.Timeout = cmp.Or(in.Prompt, last.Taken.Prompt), cmp.Or(in.Timeout, last.Taken.Timeout)
	return in
}

// mayStart asks every gate, in the order in which a person would mend things.
func (e *Engine) mayStart(in WorkInput, g *spec.Graph, s *spec.Spec) error {
	if g.Container(s.ID) {
		return e.containerError(g, s)
	}
	crashed := s.Status == spec.InProgress && s.Branch != ""
	if _, err := spec.Next(s.Status, spec.Start); err != nil && !crashed && !in.Replay {
		if s.Status == spec.Completed && !s.Landed {
			return fail(State, "chant merge "+s.ID, "spec %q is completed but has not landed", s.ID)
		}
		return err
	}
	for _, f := range e.lintProject(g).Obstacles(s) {
		if !(in.SkipDeps && slices.Contains([]string{"dependency", "cycle"}, f.Rule)) {
			return fail(Invalid, "chant edit "+s.ID, "%s:%d: %s", f.Path, f.Line, f.Message)
		}
	}
	return blockedBy(in, g, s)
}

func (e *Engine) containerError(g *spec.Graph, s *spec.Spec) error {
	for _, m := range g.Members(s.ID) {
		if g.Ready(m) {
			return fail(State, "chant work "+m, "spec %q only holds members and is never worked itself", s.ID)
		}
	}
	return fail(State, "chant list", "spec %q only holds members and is never worked itself; none of them is ready", s.ID)
}

// DriverAndMember is the id of a driver and the first of its members to be worked, "" when none is.
func DriverAndMember(ctx context.Context, e *Engine, text string) (driver, member string, err error) {
	driver, err = e.find(ctx, text)
	if err != nil {
		return "", "", wrap(err, text)
	}
	_, g, err := e.graph(ctx)
	if err != nil {
		return "", "", wrap(err, driver)
	}
	open := workable(g, driver)
	if i := slices.IndexFunc(open, g.Ready); i >= 0 {
		return driver, open[i], nil
	}
	if len(open) > 0 {
		member = open[0]
	}
	return driver, member, nil
}

func blockedBy(in WorkInput, g *spec.Graph, s *spec.Spec) error {
	var open []string
	driver, _ := g.HeldByDriver(s.ID)
	for _, b := range g.Blockers(s.ID) {
		switch {
		case b.Cycle:
		case b.ID == s.ID:
			if !in.SkipApproval || !b.Hold.Waivable() {
				return notApproved(s, b.Hold)
			}
		case driver != nil && b.ID == driver.ID && b.Hold.Exists():
			if !in.SkipApproval || !b.Hold.Waivable() {
				return heldByDriver(s, driver, b.Hold)
			}
		case !in.SkipDeps:
			open = append(open, fmt.Sprintf("%s (%s)", b.ID, b.Why))
		}
	}
	if len(open) == 0 {
		return nil
	}
	return fail(Blocked, blockerNext(g, s.ID, strings.Fields(open[0])[0]), "spec %q waits for %s", s.ID, strings.Join(open, ", "))
}

// notApproved is the refusal of what approval holds back.
func notApproved(s *spec.Spec, hold spec.Hold) *Error {
	return fail(Blocked, approvalHint(s, hold), "spec %q %s", s.ID, hold)
}

// heldByDriver is the refusal of a member that waits for what people say of the whole.
func heldByDriver(s, driver *spec.Spec, hold spec.Hold) *Error {
	return fail(Blocked, approvalHint(driver, hold), "spec %q is a part of %q, which %s", s.ID, driver.ID, hold)
}

// unapproved is the approval that a run still has to have, unless the person who began it has waived it.
func unapproved(s *spec.Spec, h *run.History) spec.Hold {
	hold := s.ApprovalBlock()
	if last := h.Last(); last != nil && !last.Gone && last.Job.SkipApproval && hold.Waivable() {
		return spec.Hold{}
	}
	return hold
}

// approvalHint is the command that leads on from what approval holds back.
func approvalHint(s *spec.Spec, hold spec.Hold) string {
	switch {
	case hold.Kind == spec.HeldByRejection && s.Branch != "":
		return "chant reset " + s.ID
	case hold.Kind == spec.HeldByRejection && !s.Fields.Type.Container(): // a driver has been split; its members are edited
		return "chant edit " + s.ID
	}
	return "chant approve " + s.ID
}

// commitHandEdits commits what a person wrote into home's copy of the spec, so
// that the run's merge meets no uncommitted file. It matters only where home has
// the target checked out and no run speaks for the spec yet.
func (e *Engine) commitHandEdits(ctx context.Context, in WorkInput, s *spec.Spec) error {
	if s.Branch != "" || in.DryRun {
		return nil
	}
	return e.commitAtHome(ctx, s)
}

// commitAtHome commits home's copy of a spec where home has the target checked out.
func (e *Engine) commitAtHome(ctx context.Context, s *spec.Spec) error {
	target, err := e.targetFor(ctx, s)
	if err != nil {
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

// runSettings adds a command's flags to the project's settings.
func (e *Engine) runSettings(in WorkInput, s *spec.Spec) (run.Settings, error) {
	set := e.settings()
	limits := e.limitsFor(s)
	set.Timeout, set.Silence = time.Duration(limits.Time), time.Duration(limits.Silence)
	if in.Timeout != "" {
		limit, err := time.ParseDuration(in.Timeout)
		if err != nil || limit <= 0 {
			return set, fail(Usage, "chant work --help", "time limit %q is no duration such as 90s, 10m or 1h30m", in.Timeout)
		}
		set.Timeout = limit
	}
	var err error
	set.Prompt, err = e.workPrompt(in.Prompt, s)
	return set, err
}
