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
	"chant/engine/promptfile"
	"chant/engine/run"
	"chant/engine/run/launch"
	"chant/engine/run/place"
	"chant/engine/spec"
	"chant/engine/split"
	"chant/engine/usage"
	"chant/engine/verify"
	"chant/providers/cli"
)

// tries is how often an agent is asked for a usable proposal.
const tries = 2

// withProposer calls do with a planner that asks an agent. The agent reads in a clean
// worktree of the target.
func withProposer(ctx context.Context, p *engine.Project, in SplitInput, s *spec.File, do func(*run.Run, planner) error) error {
	r, err := newProposer(p, in, s)
	if err != nil {
		return err
	}
	target, err := run.TargetFor(ctx, p, &s.Spec)
	if err != nil {
		return err
	}
	tip, err := p.Repo.Resolve(ctx, "refs/heads/"+target)
	if err != nil {
		return err
	}
	return r.Places.InPlace(ctx, tip, true, func(at place.Place) error {
		return do(r, func(ctx context.Context, part *spec.File) (split.Plan, error) {
			plan, err := propose(ctx, r, at, part, next.Split.On(s.ID))
			return plan, withNextStep(err, s)
		})
	})
}

// withNextStep sets the next step of the error of an agent that was asked about a spec: to split by
// headings if that is possible, else to ask again.
func withNextStep(err error, s *spec.File) error {
	if known, ok := errors.AsType[*engine.Error](err); ok && known.Code == engine.Agent {
		known.Next = stepWithoutAgent(s, next.Split.On(s.ID)) // not a member of s, because that does not exist yet
	}
	return err
}

// stepWithoutAgent returns the step that splits a spec by its headings, or otherwise if that would be refused.
func stepWithoutAgent(s *spec.File, otherwise next.Step) next.Step {
	if _, problems := split.ByHeading(s); len(problems) > 0 {
		return otherwise
	}
	return next.Split.On(s.ID).Flag("by-heading")
}

// newProposer returns a run that only asks an agent for proposals.
func newProposer(p *engine.Project, in SplitInput, s *spec.File) (*run.Run, error) {
	r, err := verify.NewJudging(p, s)
	if err != nil {
		return nil, err
	}
	r.Job.Provider = cmp.Or(in.Provider, agent.ProviderOf(p, &s.Spec))
	r.Job.Model = cmp.Or(in.Model, p.Config.Defaults.SplitModel, agent.ModelOf(p, &s.Spec))
	if r.Job.Provider == cli.ShellName {
		return nil, engine.Fail(engine.Usage, stepWithoutAgent(s, next.Split.Help()), "the shell runs scripts and proposes nothing; name an agent by --provider, or split by heading")
	}
	if err = usage.NewBudget(p).LimitQuestion(r, &s.Spec); err != nil {
		return nil, err
	}
	if r.Launcher.Provider, err = agent.Provider(p, r.Job.Provider); err != nil {
		return nil, err
	}
	r.Settings.Prompt, err = promptfile.Text(p, prompt.Split)
	return r, err
}

// propose asks an agent for a plan, and once more with the problems of the first answer. Members that can be used are kept:
// it is asked for the others alone, and those that cannot be used then are left out. The error of an unusable answer has no next
// step yet; again is the next step after an agent did something that is not allowed.
func propose(ctx context.Context, r *run.Run, at place.Place, s *spec.File, again next.Step) (split.Plan, error) {
	var problems []string
	var kept split.Proposal
	form := split.AnswerInstructions()
	for range tries {
		text, err := r.Launcher.Ask(ctx, at, s, launch.Question{
			Who: "the agent", Doing: "proposes members of " + s.ID, Prompt: r.Settings.Prompt, Form: form, Again: again,
		})
		if err != nil {
			return split.Plan{}, err
		}
		proposal, found := split.Read(text)
		if len(found) == 0 {
			if kept.PartlyUsable() {
				proposal = kept.Corrected(proposal)
			}
			var plan split.Plan
			if plan, found = proposal.Plan(s); len(found) == 0 {
				return plan, nil
			}
			kept = proposal
		}
		problems, form = found, split.AnswerInstructions()
		if kept.PartlyUsable() {
			form += kept.CorrectionRequest(text, found)
		} else {
			form += split.CorrectionRequest(text, found)
		}
	}
	if kept.PartlyUsable() {
		if plan, found := kept.PlanOfRest(s); len(found) == 0 {
			return plan, nil
		}
	}
	return split.Plan{}, engine.Fail(engine.Agent, next.Step{}, "the agent proposed nothing that spec %q can be split into: %s", s.ID, strings.Join(problems, "; "))
}
