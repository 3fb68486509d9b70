package verify

import (
	"context"
	"slices"
	"sync"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/prompt"

	"chant/engine/run"

	"chant/engine/run/tree"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/providers"
	"chant/providers/cli"
)

// VerifyAllInput selects the specs to verify, and how. One way of selecting is required.
type VerifyAllInput struct {
	IDs     []string // full or partial
	All     bool     // every completed spec that is not archived
	Labels  []string // every completed spec with one of these
	Changed string   // every completed spec that a range of commits changes: A..B, A...B, or A for A..HEAD
	Beside  bool     // with Changed: name the commits outside of runs that change more than .chant, too
	At      string   // verify the specs as they are in this commit, without writing anything; requires IDs
	NoWrite bool     // report only
	Fresh   bool     // run commands again that have run in the same tree before; At implies this
	Repeat  int      // how often each command must pass; more than 1 implies Fresh
	Agent   string   // provider that judges criteria without a command; if "", their boxes count
}

// VerifyAllResult has one result for each spec, in the order in which they were selected. With All and Labels, files
// that cannot be read come last.
type VerifyAllResult struct {
	Specs []VerifyResult `json:"specs"`
	engine.Page
	Passed   int                 `json:"passed"`
	Partial  int                 `json:"partial"` // all commands passed, but a box is not ticked
	Failed   int                 `json:"failed"`
	Nothing  int                 `json:"nothing_to_verify,omitempty"` // no criterion and no command
	Invalid  int                 `json:"invalid,omitempty"`           // files that cannot be read, which may be completed specs
	Flagged  []string            `json:"flagged,omitempty"`           // specs that verification moved from completed to needs_attention
	Lost     []string            `json:"lost,omitempty"`              // the completed specs that the range removes, in words
	Skipped  []string            `json:"skipped,omitempty"`           // completed specs that are older than verify.since of the settings
	Weakened []criteria.Weakened `json:"weakened"`                    // checks that the work on these specs weakens
	Notices  []Notice            `json:"notices,omitempty"`           // what the range changes of how work is made and judged, and what people have let pass
}

// VerifyAll verifies specs, also completed ones, in clean worktrees. If a command of a completed spec fails, or if its
// completion is forged, the spec moves to needs_attention. A changed result is written into its front matter. Each spec
// is written in one commit; with NoWrite, and inside a run, nothing is written. Errors: Usage for an invalid selection,
// NotFound.
func VerifyAll(ctx context.Context, p *engine.Project, in VerifyAllInput) (VerifyAllResult, error) {
	result, err := verifyAll(ctx, p, in)
	return result, engine.Wrap(err, "")
}

func verifyAll(ctx context.Context, p *engine.Project, in VerifyAllInput) (VerifyAllResult, error) {
	selected, err := scopeOf(ctx, p, in)
	if err != nil {
		return VerifyAllResult{}, err
	}
	subjects := selected.subjects
	all := VerifyAllResult{Specs: []VerifyResult{}, Weakened: []criteria.Weakened{}, Lost: selected.lost, Skipped: selected.skipped}
	graph := sync.OnceValues(func() (*spec.Graph, error) {
		_, g, err := engine.GraphOfFiles(ctx, p)
		return g, err
	})
	b, e := usage.NewBudget(p), &evidences{p: p}
	for _, group := range groupByCommit(subjects) {
		answers, err := verifyGroup(ctx, p, in, group, b)
		if err != nil {
			return all, err
		}
		for i, answer := range answers {
			// The members in an older commit are not read.
			if in.At == "" {
				if err := answer.judgeByMembers(graph, group[i].checks); err != nil {
					return all, err
				}
			}
			if err := checkCompletion(ctx, e, in, group[i], &answer); err != nil {
				return all, err
			}
			all.add(answer)
		}
	}
	if in.All || len(in.Labels) > 0 {
		if all.Notices, err = decisionsOf(ctx, p, subjects); err == nil {
			err = addUnreadable(ctx, p, &all)
		}
		return all, err
	}
	if in.Changed != "" {
		all.Notices, err = noticesIn(ctx, p, in, subjects)
	}
	all.Page = engine.Whole(len(all.Specs))
	return all, err
}

// addUnreadable adds a result for each spec file that cannot be read, because its status and labels are not known.
func addUnreadable(ctx context.Context, p *engine.Project, all *VerifyAllResult) error {
	set, _, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return err
	}
	for _, bad := range set.Invalid {
		why := bad.Err.Error()
		all.add(VerifyResult{SpecID: bad.ID, Unchecked: []string{}, Notes: "it cannot be read: " + why, Path: bad.Path, Invalid: why, Weakened: []criteria.Weakened{}})
	}
	return nil
}

func (r *VerifyAllResult) add(one VerifyResult) {
	r.Specs = append(r.Specs, one)
	for _, w := range one.Weakened {
		if !slices.Contains(r.Weakened, w) {
			r.Weakened = append(r.Weakened, w)
		}
	}
	switch {
	case one.Invalid != "":
		r.Invalid++
	case one.Verified:
		r.Passed++
	case one.Status == criteria.Failed:
		r.Failed++
	case one.Status == criteria.Nothing:
		r.Nothing++
	default:
		r.Partial++
	}
	if one.Flagged {
		r.Flagged = append(r.Flagged, one.SpecID)
	}
}

// subject is a spec and the commit in which it is verified.
type subject struct {
	s       *spec.File
	commit  string
	checks  spec.Checks // the project's
	changes *changes    // the range that selected the spec, nil without one
}

// groupByCommit groups consecutive specs that can share a worktree: those in the same commit. A spec with a run's branch is
// always alone, because it is judged by its start commit.
func groupByCommit(all []subject) [][]subject {
	var out [][]subject
	for _, at := range all {
		last := len(out) - 1
		if last >= 0 && at.s.Branch == "" && out[last][0].s.Branch == "" && out[last][0].commit == at.commit {
			out[last] = append(out[last], at)
			continue
		}
		out = append(out, []subject{at})
	}
	return out
}

// verifyGroup verifies specs in one commit. They share a worktree as long as their commands leave it clean.
func verifyGroup(ctx context.Context, p *engine.Project, in VerifyAllInput, group []subject, b *usage.Budget) ([]VerifyResult, error) {
	if s := group[0].s; s.Branch != "" && p.Store.RunOf() == s.ID && in.At == "" {
		// Inside the run's worktree, the files there are verified.
		one, err := VerifyByRunning(ctx, p, s)
		return []VerifyResult{one}, err
	}
	lead, err := NewJudging(p, group[0].s, func(plan *run.Plan) {
		plan.Settings.Verify, plan.Settings.Unread = group[0].checks, nil
		if in.Agent != "" {
			plan.Job.Provider, plan.Job.Model = in.Agent, p.Config.Defaults.Model
		}
	})
	if err != nil {
		return nil, err
	}
	lead.Judge.Repeat, lead.Judge.Fresh = in.Repeat, in.Fresh || in.At != "" || in.Repeat > 1
	question := ""
	if in.Agent != "" {
		if err = b.LimitQuestion(lead, &group[0].s.Spec); err != nil {
			return nil, err
		}
		if lead.Launcher.Provider, err = judgeProvider(p, in.Agent); err != nil {
			return nil, err
		}
		if question, err = prompt.Text(p, prompt.Verify); err != nil {
			return nil, err
		}
	}
	var out []VerifyResult
	for len(out) < len(group) && err == nil {
		rest := group[len(out):]
		heldOut := slices.ContainsFunc(rest, func(sub subject) bool { return p.Store.HasHeldOut(sub.s.ID) })
		err = lead.Places.InPlace(ctx, rest[0].commit, in.Agent != "" || heldOut || anyRuns(rest), func(at tree.Place) error {
			for _, sub := range rest {
				one, err := verifyInPlace(ctx, lead, at, sub, question)
				if err != nil {
					return err
				}
				out = append(out, one)
				if clean, err := lead.Places.Clean(ctx, at); err != nil || !clean {
					// The next one gets a worktree of its own.
					return err
				}
			}
			return nil
		})
	}
	return out, err
}

// judgeProvider returns the provider whose agent judges criteria without a command.
func judgeProvider(p *engine.Project, name string) (providers.Provider, error) {
	if name == cli.ShellName {
		return nil, engine.Fail(engine.Usage, next.Verify.Help(), "the shell runs scripts and cannot judge; name an agent")
	}
	return usage.Provider(p, name)
}

// verifyInPlace verifies one spec in a place that it shares with others. question is the prompt of an agent that judges, ""
// for none.
func verifyInPlace(ctx context.Context, r *run.Run, at tree.Place, sub subject, question string) (VerifyResult, error) {
	start, err := r.Judge.StartOf(ctx, sub.s)
	if err != nil {
		return VerifyResult{}, err
	}
	report, err := r.Judge.JudgeIn(ctx, at, start, sub.s)
	if err == nil && at.Dir != "" {
		err = r.Places.CheckUntouched(ctx, at)
	}
	if err == nil && r.Launcher.Provider != nil {
		report, err = r.Launcher.AskJudge(ctx, at, sub.s, report, question)
	}
	report.Commit = sub.commit
	return resultOf(sub.s, report, err)
}

// anyRuns reports whether any of the specs has a command to run.
func anyRuns(all []subject) bool {
	return slices.ContainsFunc(all, func(sub subject) bool { return criteria.PlanFor(sub.s, sub.s, sub.checks).Runs() })
}

// BrokenBefore reports whether all specs that did not pass were completed by another program, which recorded no verification.
func (r *VerifyAllResult) BrokenBefore() bool {
	bad := r.Broken()
	return len(bad) > 0 && !slices.ContainsFunc(bad, func(one VerifyResult) bool { return !one.foreign })
}

// Broken lists the specs that did not pass. A completed spec with nothing to verify is one of them only if the settings
// require something to verify.
func (r *VerifyAllResult) Broken() []VerifyResult {
	var out []VerifyResult
	for _, one := range r.Specs {
		vacuous := one.required && one.Status == criteria.Nothing
		if vacuous || one.Status == criteria.Failed || len(one.Forged) > 0 || !one.Verified && one.Criteria.Total > 0 {
			out = append(out, one)
		}
	}
	return out
}
