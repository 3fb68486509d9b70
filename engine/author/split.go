package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/adopted"
	"chant/engine/prompt"

	"chant/engine/run"
	"chant/engine/run/advice"

	"chant/engine/run/launch"
	"chant/engine/run/tree"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/spec/next"
	"chant/engine/spec/split"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/markdown"
	"chant/providers/cli"
)

// SplitInput says which spec to split, and how.
type SplitInput struct {
	ID        string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Force     bool   `json:"force,omitempty" jsonschema:"Also a spec that failed or needs attention"`
	Recursive bool   `json:"recursive,omitempty" jsonschema:"Split large members again"`
	MaxDepth  int    `json:"max_depth,omitempty" schema:"min=0" jsonschema:"Levels of members with recursive (default: 2)"`
	ByHeading bool   `json:"by_heading,omitempty" jsonschema:"A member for each section, without an agent"`
	DryRun    bool   `json:"dry_run,omitempty" jsonschema:"Show the members, write nothing"`
	Model     string `json:"model,omitempty" jsonschema:"Model to use instead of the project's"`
	Provider  string `json:"provider,omitempty" jsonschema:"Provider to use instead of the spec's or the project's"`

	Planned *SplitResult `json:"-"` // a dry run's result, to be written as it is
}

// SplitResult lists the members into which a spec was split, or would be.
type SplitResult struct {
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	Members  []SplitMember `json:"members"`            // each followed by its own members
	Repaired []string      `json:"repaired,omitempty"` // what was corrected in the proposal
	Provider string        `json:"provider,omitempty"` // of the agent that was asked
	Model    string        `json:"model,omitempty"`
	DryRun   bool          `json:"dry_run,omitempty"`
	Waits    string        `json:"waits,omitempty"` // the approval that is missing now
	Commit   string        `json:"commit,omitempty"`
	Next     next.Advice   `json:"next,omitzero"` // for the spec as it is now

	source string        // the spec as it was read
	first  []string      // its own members
	adds   []store.Added // every new spec
}

// SplitMember is one member.
type SplitMember struct {
	ID          string     `json:"id"`
	Title       string     `json:"title"`
	DependsOn   []string   `json:"depends_on"`
	Criteria    []string   `json:"criteria"`
	TargetFiles []string   `json:"target_files,omitempty"`
	Members     []string   `json:"members,omitempty"` // when it was split again
	Text        string     `json:"text,omitempty"`    // the file, of a dry run
	Lint        lint.Score `json:"lint"`
}

// Split turns a spec into a group with members, in one commit. The members are proposed by
// an agent or are the sections of the spec. The agent reads in a clean worktree of the
// target and changes nothing. Its proposal is checked against a schema; unambiguous mistakes
// are corrected, for others the agent is asked once more. Errors: State for a spec that has
// members or a run, or is not pending; Conflict for uncommitted edits; Agent if the agent
// proposes nothing usable; Usage.
func Split(ctx context.Context, p *engine.Project, in SplitInput) (SplitResult, error) {
	// Without recursion a depth would have no effect.
	if in.MaxDepth < 0 || in.MaxDepth > 0 && !in.Recursive {
		return SplitResult{}, engine.Fail(engine.Usage, next.Split.Help(), "a depth is a number from 1 and can only be used with recursive")
	}
	result, err := advice.WithHold(ctx, p, in.ID, "split", func(h *engine.Held) (SplitResult, error) { return splitHeld(ctx, p, in, h) })
	if err == nil && !in.DryRun {
		result.Next = advice.After(ctx, p, result.ID)
	}
	return result, err
}

func splitHeld(ctx context.Context, p *engine.Project, in SplitInput, h *engine.Held) (SplitResult, error) {
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return SplitResult{}, err
	}
	s, err := engine.ReadableFile(ctx, p, set, g, h.ID)
	if err != nil {
		return SplitResult{}, err
	}
	if err := maySplit(ctx, p, in, g, s); err != nil {
		return SplitResult{}, err
	}
	result := SplitResult{DryRun: in.DryRun}
	if planned := in.Planned; planned != nil {
		// The members that a person has seen belong to another text.
		if planned.source != string(s.Doc.Bytes()) {
			return SplitResult{}, engine.Fail(engine.Conflict, next.Split.On(s.ID), "spec %q has changed since its members were shown", s.ID)
		}
		result = *planned
	} else if result, err = planMembers(ctx, p, in, s); err != nil {
		return SplitResult{}, err
	}
	if result.DryRun = in.DryRun; in.DryRun {
		return result, nil
	}
	return writeSplit(ctx, p, s, result)
}

// maySplit refuses a spec that cannot be split, and one with work or edits that would be lost.
func maySplit(ctx context.Context, p *engine.Project, in SplitInput, g *spec.Graph, s *spec.File) error {
	forced := []spec.Status{spec.Pending, spec.Failed, spec.NeedsAttention, spec.InProgress, spec.Paused}
	switch {
	case g.Container(s.ID):
		// A split that was interrupted leaves members without a commit.
		if edited, err := engine.HasUncommittedEdits(ctx, p, s.ID); err != nil || edited {
			return cmp.Or(err, error(engine.Fail(engine.Conflict, next.Shell("git status %s", store.SpecsDir), "spec %q holds members that are not committed: a split was interrupted, or another process is working on it; commit them, or restore its file and remove theirs", s.ID)))
		}
		return engine.Fail(engine.State, next.Deps.On(s.ID), "spec %q holds members already", s.ID)
	case s.Branch != "":
		return engine.Fail(engine.State, next.Reset.On(s.ID), "spec %q has a run; it is split only without one", s.ID)
	case s.Status != spec.Pending && slices.Contains(forced, s.Status) && !in.Force:
		return engine.Fail(engine.State, next.Split.On(s.ID).Flag("force"), "spec %q is %s, not pending", s.ID, s.Status)
	case !slices.Contains(forced, s.Status):
		return engine.Fail(engine.State, next.Show.On(s.ID), "spec %q is %s: there is nothing left to split", s.ID, s.Status)
	}
	// The commit of the split would include them.
	edited, err := engine.HasUncommittedEdits(ctx, p, s.ID)
	if err == nil && edited {
		err = engine.Fail(engine.Conflict, engine.CommitStep(s.ID), "spec %q has edits that are not committed", s.ID)
	}
	return err
}

// writeSplit writes the group and its members in one commit.
func writeSplit(ctx context.Context, p *engine.Project, s *spec.File, r SplitResult) (SplitResult, error) {
	change := store.Change{
		ID: s.ID, Word: "split", AtHome: true, Adds: r.adds, Why: fmt.Sprintf("Into %d members.", len(r.Members)),
		Edits: []markdown.Edit{markdown.Set("type", string(spec.Group)), markdown.Set("members", r.first)},
	}
	// A group begins anew, since its members do.
	if s.Status != spec.Pending {
		change.Event = spec.Reset
		change.Edits = append(change.Edits, spec.ClearReason()...)
	}
	out, err := p.Store.Transition(ctx, change)
	if err != nil {
		return SplitResult{}, err
	}
	r.Commit = out.Commit
	// Otherwise the result describes only what was written.
	if now, err := p.Store.Get(ctx, s.ID); err == nil {
		r.Waits = now.ApprovalBlock().String()
	}
	return r, nil
}

// maxTries is how often an agent is asked for a usable proposal.
const maxTries = 2

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
	return r.run.Places.InPlace(ctx, tip, true, func(at tree.Place) error {
		r.at = at
		return do(r.run, func(ctx context.Context, part *spec.File) (split.Plan, error) {
			plan, err := r.propose(ctx, part)
			return plan, withNextStep(err, s)
		})
	})
}

// withNextStep sets the next step of the error of an agent that was asked about a spec: to split by
// headings if that is possible, else to ask again.
func withNextStep(err error, s *spec.File) error {
	if known, ok := errors.AsType[*engine.Error](err); ok && known.Code == engine.Agent {
		// It is not a member of s, because that does not exist yet.
		known.Next = stepWithoutAgent(s, next.Split.On(s.ID))
	}
	return err
}

// stepWithoutAgent returns the step that splits a spec by its headings, or otherwise if that would be refused.
func stepWithoutAgent(s *spec.File, otherwise next.Step) next.Step {
	// Tried here, since a step that would be refused does not help.
	if _, problems := split.ByHeading(s); len(problems) > 0 {
		return otherwise
	}
	return next.Split.On(s.ID).Flag("by-heading")
}

// proposer asks an agent for the members of specs.
type proposer struct {
	run    *run.Run
	prompt string
	at     tree.Place // where the agent reads
	again  next.Step  // after an agent did something that is not allowed
}

// newProposer returns what asks the agent, which has no place yet.
func newProposer(p *engine.Project, in SplitInput, s *spec.File) (*proposer, error) {
	r, err := verify.NewJudging(p, s, func(plan *run.Plan) {
		plan.Job.Provider = cmp.Or(in.Provider, usage.ProviderOf(p, &s.Spec))
		plan.Job.Model = cmp.Or(in.Model, p.Config.Defaults.SplitModel, usage.ModelOf(p, &s.Spec))
	})
	if err != nil {
		return nil, err
	}
	// The shell runs what the spec says.
	if r.Job.Provider == cli.ShellName {
		return nil, engine.Fail(engine.Usage, stepWithoutAgent(s, next.Split.Help()), "the shell runs scripts and proposes nothing; name an agent by --provider, or split by heading")
	}
	if err = usage.NewBudget(p).LimitQuestion(r, &s.Spec); err != nil {
		return nil, err
	}
	if r.Launcher.Provider, err = usage.Provider(p, r.Job.Provider); err != nil {
		return nil, err
	}
	text, err := prompt.Text(p, prompt.Split)
	return &proposer{run: r, prompt: text, again: next.Split.On(s.ID)}, err
}

// propose asks an agent for a plan, and once more with the problems of the first answer. Members that can be used are kept:
// it is asked for the others alone, and those that cannot be used then are left out. The error of an unusable answer has no next
// step yet.
func (a *proposer) propose(ctx context.Context, s *spec.File) (split.Plan, error) {
	// Kept for the second question, so that good members are not proposed anew.
	var problems []string
	var kept split.Proposal
	form := a.answerForm()
	for range maxTries {
		text, err := a.run.Launcher.Ask(ctx, a.at, s, launch.Question{
			Who: "the agent", Doing: "proposes members of " + s.ID, Prompt: a.prompt, Form: form, Again: a.again,
		})
		if err != nil {
			return split.Plan{}, err
		}
		proposal, found := split.Read(text)
		if len(found) == 0 {
			// The answer has only those that were corrected.
			if kept.PartlyUsable() {
				proposal = kept.Correct(proposal)
			}
			var plan split.Plan
			if plan, found = proposal.Plan(s); len(found) == 0 {
				return plan, nil
			}
			kept = proposal
		}
		problems, form = found, a.answerForm()
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

// answerForm returns the part of a prompt that says how to answer, "" if the project's own prompt already does.
func (a *proposer) answerForm() string {
	if split.AsksForSections(a.prompt) {
		return ""
	}
	return split.AnswerInstructions()
}

// planBySource is the planner of a spec that adopts a folder: its tasks say what the parts are, so no agent is asked. The
// spec's own criteria and commands go to the last part.
func (d *divider) planBySource(_ context.Context, s *spec.File) (split.Plan, error) {
	root, err := os.OpenRoot(engine.Home(d.p))
	if err != nil {
		return split.Plan{}, err
	}
	defer root.Close()
	parts, err := adopted.Divide(root.FS(), s.Fields)
	if err != nil {
		return split.Plan{}, engine.Fail(engine.State, next.Show.On(s.ID), "spec %q cannot be split: %s", s.ID, err)
	}
	// What is done needs no member.
	parts = openParts(parts)
	if len(parts) < 2 {
		return split.Plan{}, engine.Fail(engine.State, next.Work.On(s.ID), "spec %q cannot be split: no more than one part of %q is still open", s.ID, s.Fields.Source)
	}
	var plan split.Plan
	for _, part := range parts {
		plan.Parts = append(plan.Parts, split.Part{Title: s.Title + ": " + part.Title, Source: part.Part, Criteria: part.Text, After: part.After})
	}
	last := &plan.Parts[len(plan.Parts)-1]
	last.Whole = len(s.Checks().Commands) > 0
	for _, c := range spec.Criteria(s.Doc) {
		last.Own = append(last.Own, spec.OneLine(c.Text))
	}
	// The last part checks the whole, so it waits for all others.
	if last.Whole || len(last.Own) > 0 {
		last.After = nil
		for i := range len(plan.Parts) - 1 {
			last.After = append(last.After, i)
		}
	}
	return plan, nil
}

// openParts returns the parts that are not done. Nothing waits for those that are.
func openParts(parts []adopted.Part) []adopted.Part {
	// The new index of each part, -1 for one that is done.
	at := make([]int, len(parts))
	var out []adopted.Part
	for i, part := range parts {
		at[i] = -1
		if part.Done {
			continue
		}
		var after []int
		for _, before := range part.After {
			// Nothing waits for a part that is done.
			if at[before] >= 0 {
				after = append(after, at[before])
			}
		}
		part.After = after
		at[i] = len(out)
		out = append(out, part)
	}
	return out
}
