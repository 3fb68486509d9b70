package author

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"chant/engine"
	"chant/engine/agent"
	"chant/engine/next"
	"chant/engine/prompt"
	"chant/engine/run"
	"chant/engine/run/launch"
	"chant/engine/run/place"
	"chant/engine/spec"
	"chant/engine/split"
	"chant/engine/usage"
	"chant/engine/verify"
	"chant/providers/cli"
)

// tries is how often an agent is asked before its proposals are given up.
const tries = 2

// withProposer does something with a planner that asks an agent, which reads in a clean
// worktree of the target.
func withProposer(ctx context.Context, p *engine.Project, in SplitInput, s *spec.Spec, do func(*run.Run, planner) error) error {
	r, err := proposer(p, in, s)
	if err != nil {
		return err
	}
	target, err := run.TargetFor(ctx, p, s)
	if err != nil {
		return err
	}
	tip, err := p.Repo.Resolve(ctx, "refs/heads/"+target)
	if err != nil {
		return err
	}
	return r.Places.InPlace(ctx, tip, true, func(at place.Place) error {
		return do(r, func(ctx context.Context, part *spec.Spec) (split.Plan, error) {
			plan, err := propose(ctx, r, at, part, next.Split.On(s.ID))
			return plan, leading(err, s)
		})
	})
}

// leading is an error of an agent that was asked about a spec, with the way on: one that
// answered badly is asked again, where the spec cannot be split without it.
func leading(err error, s *spec.Spec) error {
	if known, ok := errors.AsType[*engine.Error](err); ok && known.Code == engine.Agent {
		known.Next = withoutAgent(s, next.Split.On(s.ID)) // s is there, a member of it is not yet
	}
	return err
}

// withoutAgent splits a spec by its headings, or is another step where that would be refused.
func withoutAgent(s *spec.Spec, otherwise next.Step) next.Step {
	if _, problems := split.ByHeading(s); len(problems) > 0 {
		return otherwise
	}
	return next.Split.On(s.ID).Flag("by-heading")
}

// proposer is a run that only asks.
func proposer(p *engine.Project, in SplitInput, s *spec.Spec) (*run.Run, error) {
	r, err := verify.NewJudging(p, s)
	if err != nil {
		return nil, err
	}
	r.Job.Provider = cmp.Or(in.Provider, agent.ProviderOf(p, s))
	r.Job.Model = cmp.Or(in.Model, p.Config.Defaults.SplitModel, agent.ModelOf(p, s))
	if r.Job.Provider == cli.ShellName {
		return nil, engine.Fail(engine.Usage, withoutAgent(s, next.Split.Help()), "the shell runs scripts and proposes nothing; name an agent by --provider, or split by heading")
	}
	if err = usage.NewBudget(p).LimitQuestion(r, s); err != nil {
		return nil, err
	}
	if r.Launcher.Provider, err = agent.Provider(p, r.Job.Provider); err != nil {
		return nil, err
	}
	r.Settings.Prompt, err = agent.PromptText(p, prompt.Split)
	return r, err
}

// propose asks for a plan, and once more with what was wrong with the first. The error of
// an answer has no way on yet; again is that of an agent that did what it may not.
func propose(ctx context.Context, r *run.Run, at place.Place, s *spec.Spec, again next.Step) (split.Plan, error) {
	var problems []string
	form := split.Form()
	for range tries {
		text, err := r.Launcher.Ask(ctx, at, s, launch.Question{
			Who: "the agent", Doing: "proposes members of " + s.ID, Prompt: r.Settings.Prompt, Form: form, Again: again,
		})
		if err != nil {
			return split.Plan{}, err
		}
		proposal, found := split.Read(text)
		if len(found) == 0 {
			var plan split.Plan
			if plan, found = proposal.Plan(s); len(found) == 0 {
				return plan, nil
			}
		}
		problems, form = found, split.Form()+split.Again(text, found)
	}
	return split.Plan{}, engine.Fail(engine.Agent, next.Step{}, "the agent proposed nothing that spec %q can be split into: %s", s.ID, strings.Join(problems, "; "))
}
