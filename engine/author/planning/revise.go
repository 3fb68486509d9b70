package planning

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/split"
)

// ReviseInput is what a person wants to be different in a plan.
type ReviseInput struct {
	ID       string `json:"id" jsonschema:"Plan ID (full or partial)"`
	Request  string `json:"request" jsonschema:"What is to be different, in one's own words"`
	Provider string `json:"provider,omitempty" jsonschema:"Agent that plans instead of the project's"`
	Model    string `json:"model,omitempty" jsonschema:"Model to use instead of plan.model or the project's"`

	Decide func(context.Context, []Question) ([]string, error) `json:"-"` // as in PlanInput
}

// Revise has an agent change a plan. What is in work or done stays as it is; the rest is drafted anew on the branch of the plan,
// until the revision is accepted. Errors: those of Plan.
func Revise(ctx context.Context, p *engine.Project, in ReviseInput) (_ PlanResult, err error) {
	var d draft
	defer func() { err = d.refusal(err) }()
	if err := engine.MayInside(p, "plan", ""); err != nil {
		return PlanResult{}, err
	}
	if err := checkIdea(in.Request); err != nil {
		return PlanResult{}, err
	}
	if d, err = load(ctx, p, in.ID); err != nil {
		return PlanResult{}, err
	}
	pl, err := newPlanner(ctx, p, d.ID, PlanInput{Idea: d.Idea, Provider: in.Provider, Model: in.Model, Source: d.Source})
	if err != nil {
		return PlanResult{}, err
	}
	before := slices.Clone(d.specs)
	if err := pl.fix(ctx, &d); err != nil {
		return PlanResult{}, err
	}
	pl.before = d.Cost
	pl.revision = pl.revisionText(d, in.Request)
	d.Base, d.Status = pl.base, Drafting
	d.Idea += "\n\nRevised: " + in.Request
	answer, err := pl.firstAnswer(ctx, &d, in.Decide)
	if err != nil {
		return PlanResult{}, err
	}
	if err := pl.refine(ctx, &d, answer); err != nil {
		return PlanResult{}, err
	}
	r, err := d.result(ctx, p)
	r.Changes = differences(before, d.specs)
	return r, err
}

// fix sets the specs of a plan that stay as they are: those on which somebody works, or has.
func (pl *planner) fix(ctx context.Context, d *draft) error {
	set, err := pl.p.Store.Load(ctx)
	if err != nil {
		return err
	}
	for _, s := range d.specs {
		at := slices.IndexFunc(set.Specs, func(o *spec.Spec) bool { return o.ID == s.id })
		if at >= 0 && isFixed(set.Specs[at]) || slices.Contains(set.Archived, s.id) {
			pl.fixed = append(pl.fixed, s)
		}
	}
	d.specs = slices.DeleteFunc(slices.Clone(d.specs), func(s planned) bool {
		return slices.ContainsFunc(pl.fixed, func(f planned) bool { return f.id == s.id })
	})
	return nil
}

// revisionText tells the agent what the plan is now and what is to be different.
func (pl *planner) revisionText(d draft, request string) string {
	var now []Proposed
	for _, s := range d.specs {
		one := Proposed{ID: s.id, Title: s.doc.Title(), What: strings.TrimSpace(afterTitle(string(s.doc.DropSections(spec.CriteriaHeading).Body())))}
		if file, err := spec.FromDocument(s.id, s.doc); err == nil {
			one.TargetFiles, one.Labels = file.Fields.TargetFiles, file.Fields.Labels
			for _, c := range file.Criteria() {
				one.Criteria = append(one.Criteria, Wanted{
					Criterion: split.Criterion{Text: strings.TrimSpace(split.WithoutCommands(spec.OneLine(c.Text))), Command: strings.Join(c.Commands, " && ")},
					Guard:     file.Fields.Guards.Covers(c.Number),
				})
			}
			for _, id := range s.dependsOn {
				one.DependsOn = append(one.DependsOn, split.Reference{Title: id})
			}
			if s.redFor != "" {
				one.RedFor = &split.Reference{Title: s.redFor}
			}
		}
		now = append(now, one)
	}
	src, err := json.MarshalIndent(map[string]any{"specs": now}, "", " ")
	if err != nil {
		// Texts and lists of texts can always be written.
		return ""
	}
	out := "\n## The plan as it is\n\n" + spec.Fenced("json", string(src)) + "\n"
	if len(pl.fixed) > 0 {
		out += "\nThese are in work or done, and stay as they are; specs may depend on them by their ids, and none of them is in your answer:\n\n"
		for _, s := range pl.fixed {
			out += fmt.Sprintf("- %s: %s\n", s.id, s.doc.Title())
		}
	}
	return out + "\n## What is to be different\n\n" + spec.Fenced("", request) + "\n\nAnswer with the whole plan, without those that stay. What you keep has its `id`.\n"
}

func afterTitle(body string) string {
	_, rest, _ := strings.Cut(strings.TrimLeft(body, "\n"), "\n")
	return rest
}

// differences lists what a revision has changed.
func differences(before, after []planned) []Change {
	var out []Change
	for _, s := range after {
		at := slices.IndexFunc(before, func(o planned) bool { return o.id == s.id })
		switch {
		case at < 0:
			out = append(out, Change{Added, s.id, s.doc.Title()})
		case string(before[at].doc.Bytes()) != string(s.doc.Bytes()):
			out = append(out, Change{Changed, s.id, s.doc.Title()})
		}
	}
	for _, s := range before {
		if !slices.ContainsFunc(after, func(o planned) bool { return o.id == s.id }) {
			out = append(out, Change{Removed, s.id, s.doc.Title()})
		}
	}
	return out
}
