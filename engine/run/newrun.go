package run

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"time"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/evidence/journal"
	"chant/engine/prompt"
	"chant/engine/run/attempt"
	"chant/engine/run/train"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/config"
	"chant/gitops"
	"chant/providers"
)

// checkBranchFree checks that git can create a branch of this name: no other branch may be a folder of it. Branches that continue
// its name are out of the way before it is made: see tree.RemoveBranchesBelow.
func checkBranchFree(ctx context.Context, p *engine.Project, branch string) error {
	if err := p.Repo.ValidBranch(branch); err != nil {
		return err
	}
	// Git keeps branches as files in folders: with a branch "a" there can be no branch "a/b".
	for parent := path.Dir(branch); parent != "."; parent = path.Dir(parent) {
		if _, err := p.Repo.Resolve(ctx, "refs/heads/"+parent); err == nil {
			return engine.Fail(engine.Conflict, next.ByHand(`set branch_prefix under defaults in .chant/config.md to one that begins otherwise, such as "runs/"`),
				"branch %q cannot be made beside the branch %q", branch, parent)
		}
	}
	return nil
}

// lastAttempt returns the number of the attempt that is under way or ended last, by the journal or, if there is none,
// by the branch; 0 if there was no attempt.
func lastAttempt(ctx context.Context, p *engine.Project, branch string, h *journal.History) (int, error) {
	if last := h.Last(); last != nil {
		return last.Number, nil
	}
	tip, err := p.Repo.ReadCommit(ctx, "refs/heads/"+branch)
	if errors.Is(err, gitops.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(tip.Trailers["Chant-Attempt"])
	if err != nil {
		// Chant has not made the commit, so no attempt is known.
		return 0, nil //nolint:nilerr // see above
	}
	return n, nil
}

// RunID returns a new random mark by which the processes of a run are found.
func RunID(p *engine.Project) (string, error) {
	var b [8]byte
	if _, err := io.ReadFull(p.Rand, b[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(b[:]), nil
}

// NewRun creates the run of a plan.
func NewRun(p *engine.Project, plan Plan, h *journal.History) *Run {
	// A check that runs while the branch waits to land reports as well.
	p = p.WithSerialProgress()
	r := newRun(attempt.New(attempt.Attempt{
		Repo: p.Repo, Store: p.Store, Job: plan.Job, Settings: plan.Settings, Asked: plan.Asked, Accepted: plan.Accepted,
		Chant: p.Executable, Environ: p.Environ, Version: p.Version, Now: p.Now, Emit: p.Progress, OnStep: p.OnStep,
	}, h, p.Secrets))
	r.Steps, r.Opens = plan.Steps, plan.Opens
	r.Retry, r.Launcher.Price = p.Config.Retry.Policy().Next, p.Config.Prices.Table().Cost
	if tokens := p.Config.Context.Auto; tokens > 0 {
		r.Briefing.Code = func(ctx context.Context, dir, about string) string {
			return quoteCode(ctx, p, code.QuoteInput{Folder: dir, About: about, Tokens: tokens}, plan.Job.ID)
		}
	}
	r.AfterLanding = func(ctx context.Context) {
		renewIndex(ctx, p, plan.Job.ID)
		if err := r.withdrawQuestions(ctx); err != nil {
			engine.Warn(p, plan.Job.ID, "its questions stay open: "+err.Error())
		}
	}
	r.Launcher.Commands = engine.InsideCommands()
	if p.Executable != "" {
		r.Launcher.MCP = &providers.MCPServer{Command: p.Executable, Args: []string{"mcp"}}
	}
	return r
}

// quoteCode returns code for the prompt of a spec. What cannot be found is only missing in the prompt.
func quoteCode(ctx context.Context, p *engine.Project, in code.QuoteInput, id string) string {
	text, err := code.Quote(ctx, p, in)
	if said := fmt.Sprintf("code was not added to the prompt: %s", err); err != nil && ctx.Err() == nil && p.Notes.IsNew(said) {
		engine.Warn(p, id, said)
	}
	return text
}

// renewIndex indexes the code that has landed, so that the next question need not wait for it.
func renewIndex(ctx context.Context, p *engine.Project, id string) {
	if err := code.Renew(ctx, p, engine.Home(p)); err != nil && ctx.Err() == nil {
		engine.Warn(p, id, fmt.Sprintf("the code that landed is not indexed yet: %s", err))
	}
}

// NewQuestionRun creates a run without a plan, for questions about a spec that need none of its Facts.
func NewQuestionRun(p *engine.Project, job journal.Job, h *journal.History) *Run {
	return NewRun(p, Plan{Job: job, Settings: SettingsOf(p)}, h)
}

// SettingsOf returns the project's settings for runs, without a command's flags.
func SettingsOf(p *engine.Project) attempt.Settings {
	c := p.Config
	checks, unread := prompt.Checks(p)
	return attempt.Settings{
		Unread: unread, Timeout: time.Duration(c.Limits.Time), Silence: time.Duration(c.Limits.Silence),
		Check: time.Duration(c.Limits.Check), Verify: checks, Landing: LandingOf(c.Landing), SetupFor: time.Duration(c.Limits.Setup),
		Copy: c.Worktree.Copy, Link: c.Worktree.Link, SetupCmd: c.Worktree.Setup,
		Dir: c.Worktree.Dir, Project: c.Project.Name, Ports: attempt.Ports(c.Worktree.Ports),
		ApproveWork: c.Approval.AgentWork, StrictOutput: c.Validation.Strict, AppendOutput: c.Defaults.AppendOutput,
		Signed: c.Evidence.Signed, Required: c.Enterprise.Required, Pass: c.Defaults.Pass, Sandbox: c.Sandbox, Fetches: p.Fetches,
	}
}

// LandingOf returns the settings of landings.
func LandingOf(c config.LandingConfig) train.Settings {
	return train.Settings{Width: c.Width, ByArrival: c.Order == config.LandByArrival, MaxWait: c.MaxWait}
}

// StartedSpec returns a spec as it was when its work started, or as a person has changed it since. It decides who works on
// the spec and what that may cost, so that an agent cannot change these by editing its copy.
func StartedSpec(ctx context.Context, p *engine.Project, s *spec.Spec, h *journal.History) (*spec.Spec, error) {
	if s.Branch == "" || h.Trusted == nil {
		return s, nil
	}
	start, err := NewQuestionRun(p, journal.Job{ID: s.ID}, h).Judge.Trusted(ctx)
	if err != nil {
		return nil, err
	}
	start.Branch = s.Branch
	return &start.Spec, nil
}
