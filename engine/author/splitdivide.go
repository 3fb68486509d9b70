package author

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/linter"
	"chant/engine/next"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/split"
	"chant/engine/store"
	"chant/markdown"
)

// planner says what a spec is taken apart into.
type planner func(ctx context.Context, s *spec.Spec) (split.Plan, error)

// divider takes a spec apart, and large members of it again.
type divider struct {
	p      *engine.Project
	plan   planner
	depth  int      // levels of members to make
	asks   bool     // of an agent, whose failure ends everything
	ids    []string // that are taken
	result SplitResult
}

// divided makes every member, and writes none.
func divided(ctx context.Context, p *engine.Project, in SplitInput, s *spec.Spec) (SplitResult, error) {
	ids, err := AllIDs(ctx, p)
	if err != nil {
		return SplitResult{}, err
	}
	d := &divider{p: p, depth: 1, ids: ids, result: SplitResult{ID: s.ID, Title: s.Title, Members: []SplitMember{}, source: string(s.Doc.Bytes())}}
	if in.Recursive {
		d.depth = cmp.Or(in.MaxDepth, usualDepth)
	}
	if in.ByHeading {
		d.plan = byHeading
		d.result.first, err = d.divide(ctx, s, 1)
	} else {
		err = withProposer(ctx, p, in, s, func(r *run.Run, plan planner) error {
			d.asks, d.plan, d.result.Provider, d.result.Model = true, plan, r.Job.Provider, r.Job.Model
			d.result.first, err = d.divide(ctx, s, 1)
			return err
		})
	}
	if err != nil {
		return SplitResult{}, err
	}
	if !in.DryRun {
		for i := range d.result.Members {
			d.result.Members[i].Text = "" // it stands in the file
		}
	}
	return d.result, acyclic(ctx, p, s, d.result)
}

// usualDepth is how many levels of members a recursive split makes.
const usualDepth = 2

// byHeading is the planner that asks no one.
func byHeading(_ context.Context, s *spec.Spec) (split.Plan, error) {
	plan, problems := split.ByHeading(s)
	if len(problems) > 0 {
		return plan, engine.Fail(engine.State, next.Edit.On(s.ID), "spec %q cannot be split by its headings: %s", s.ID, strings.Join(problems, "; "))
	}
	return plan, nil
}

// acyclic holds the new specs against all others before any is written.
func acyclic(ctx context.Context, p *engine.Project, s *spec.Spec, r SplitResult) error {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return err
	}
	all := set.Specs
	for _, add := range r.adds {
		member, err := p.Store.Parse(add.ID, store.SpecPath(add.ID), add.Content)
		if err != nil {
			return err
		}
		all = append(all, member)
	}
	g := spec.NewGraph(all, set.Archived)
	for _, add := range r.adds {
		if path := g.CycleOf(add.ID); path != nil {
			return engine.Fail(engine.Invalid, next.Deps.On(s.ID), "dependencies would go in a circle: %s", strings.Join(path, " -> "))
		}
	}
	return nil
}

// divide makes the members of one spec, and returns their ids.
func (d *divider) divide(ctx context.Context, s *spec.Spec, level int) ([]string, error) {
	plan, err := d.plan(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, text := range plan.Repaired {
		d.result.Repaired = append(d.result.Repaired, s.ID+": "+text)
	}
	ids := make([]string, len(plan.Parts))
	for i := range plan.Parts {
		ids[i] = spec.NextMember(s.ID, d.ids)
		d.ids = append(d.ids, ids[i])
	}
	docs, err := d.members(s, plan.Parts, ids)
	if err != nil {
		return nil, err
	}
	for i, part := range plan.Parts {
		if level < d.depth && part.Large() {
			if docs[i], err = d.again(ctx, ids[i], docs[i], level+1); err != nil {
				return nil, err
			}
		}
		d.take(ids[i], docs[i])
	}
	return ids, nil
}

// members writes the members of a spec and notes them, before those of any of them.
func (d *divider) members(s *spec.Spec, parts []split.Part, ids []string) ([]*markdown.Document, error) {
	docs := make([]*markdown.Document, len(parts))
	for i, part := range parts {
		doc, err := d.member(s, part, ids, i)
		if err != nil {
			return nil, err
		}
		score, err := linter.ScoreDocument(d.p, ids[i], doc)
		if err != nil {
			return nil, err
		}
		docs[i] = doc
		d.result.Members = append(d.result.Members, SplitMember{
			ID: ids[i], Title: part.Title, DependsOn: named(ids, part.After), Criteria: part.Criteria, TargetFiles: part.Files, Lint: score,
		})
	}
	return docs, nil
}

// take adds a member as it is to be written.
func (d *divider) take(id string, doc *markdown.Document) {
	d.result.adds = append(d.result.adds, store.Added{ID: id, Content: doc.Bytes()})
	if m := d.noted(id); m != nil {
		m.Text = string(doc.Bytes())
	}
}

// noted is what the result tells of a member.
func (d *divider) noted(id string) *SplitMember {
	i := slices.IndexFunc(d.result.Members, func(m SplitMember) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return &d.result.Members[i]
}

// again splits a member, which becomes a group then. Without an agent one that has no
// sections stays as it is.
func (d *divider) again(ctx context.Context, id string, doc *markdown.Document, level int) (*markdown.Document, error) {
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return nil, err
	}
	kids, err := d.divide(ctx, s, level)
	if refused, ok := errors.AsType[*engine.Error](err); ok && refused.Code == engine.State && !d.asks {
		return doc, nil
	}
	if err != nil {
		return nil, err
	}
	if m := d.noted(id); m != nil {
		m.Members = kids
	}
	return doc.Apply(markdown.Set("type", string(spec.Group)), markdown.Set("members", kids))
}
