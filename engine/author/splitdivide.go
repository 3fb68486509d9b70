package author

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/split"
	"chant/engine/store"
	"chant/engine/verify/linter"
	"chant/markdown"
)

// planner returns the parts into which to split a spec.
type planner func(ctx context.Context, s *spec.File) (split.Plan, error)

// divider splits a spec, and its large members again.
type divider struct {
	p      *engine.Project
	plan   planner
	depth  int      // levels of members to make
	asks   bool     // an agent is asked, whose failure ends the split
	ids    []string // that are in use
	result SplitResult
}

// planMembers returns all members without writing them.
func planMembers(ctx context.Context, p *engine.Project, in SplitInput, s *spec.File) (SplitResult, error) {
	ids, err := AllIDs(ctx, p)
	if err != nil {
		return SplitResult{}, err
	}
	d := &divider{p: p, depth: 1, ids: ids, result: SplitResult{ID: s.ID, Title: s.Title, Members: []SplitMember{}, source: string(s.Doc.Bytes())}}
	if in.Recursive {
		d.depth = cmp.Or(in.MaxDepth, defaultDepth)
	}
	if s.Adopted() != nil {
		// Its parts are tasks, which have no parts of their own.
		d.depth, d.plan = 1, d.planBySource
		d.result.first, err = d.divide(ctx, s, 1)
	} else if in.ByHeading {
		d.plan = planByHeading
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
			// The file contains it.
			d.result.Members[i].Text = ""
		}
	}
	return d.result, checkAcyclic(ctx, p, s, d.result)
}

// defaultDepth is how many levels of members a recursive split makes.
const defaultDepth = 2

// planByHeading is the planner that splits by headings, without an agent.
func planByHeading(_ context.Context, s *spec.File) (split.Plan, error) {
	plan, problems := split.ByHeading(s)
	if len(problems) > 0 {
		return plan, engine.Fail(engine.State, next.Edit.On(s.ID), "spec %q cannot be split by its headings: %s", s.ID, strings.Join(problems, "; "))
	}
	return plan, nil
}

// checkAcyclic checks that the new specs and all others have no cycle of dependencies, before any is written.
func checkAcyclic(ctx context.Context, p *engine.Project, s *spec.File, r SplitResult) error {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return err
	}
	// With the new specs, which are not written yet.
	all := set.Specs
	for _, add := range r.adds {
		member, err := p.Store.Parse(add.ID, store.SpecPath(add.ID), add.Content)
		if err != nil {
			return err
		}
		all = append(all, &member.Spec)
	}
	g := spec.NewGraph(all, set.Archived)
	for _, add := range r.adds {
		if path := g.CycleOf(add.ID); path != nil {
			return engine.Fail(engine.Invalid, next.Deps.On(s.ID), "dependencies would go in a circle: %s", strings.Join(path, " -> "))
		}
	}
	return nil
}

// divide adds the members of one spec to the result, and returns their ids.
func (d *divider) divide(ctx context.Context, s *spec.File, level int) ([]string, error) {
	plan, err := d.plan(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, text := range plan.Repaired {
		d.result.Repaired = append(d.result.Repaired, s.ID+": "+text)
	}
	// All ids first, since members name each other.
	ids := make([]string, len(plan.Parts))
	for i := range plan.Parts {
		ids[i] = spec.NextMember(s.ID, d.ids)
		d.ids = append(d.ids, ids[i])
	}
	docs, err := d.memberDocuments(s, plan.Parts, ids)
	if err != nil {
		return nil, err
	}
	for i, part := range plan.Parts {
		// After all members of this level, so that their ids are in order.
		if level < d.depth && part.Large() {
			if docs[i], err = d.divideMember(ctx, ids[i], docs[i], level+1); err != nil {
				return nil, err
			}
		}
		d.addMember(ids[i], docs[i])
	}
	return ids, nil
}

// memberDocuments returns the documents of the members of a spec and adds them to the result, before any member is split again.
func (d *divider) memberDocuments(s *spec.File, parts []split.Part, ids []string) ([]*markdown.Document, error) {
	docs := make([]*markdown.Document, len(parts))
	for i, part := range parts {
		doc, err := d.memberDocument(s, part, ids, i)
		if err != nil {
			return nil, err
		}
		score, err := linter.ScoreDocument(d.p, ids[i], doc)
		if err != nil {
			return nil, err
		}
		docs[i] = doc
		d.result.Members = append(d.result.Members, SplitMember{
			ID: ids[i], Title: part.Title, DependsOn: pickIDs(ids, part.After), Criteria: part.Criteria, TargetFiles: part.Files, Lint: score,
		})
	}
	return docs, nil
}

// addMember adds the final document of a member to the specs to write.
func (d *divider) addMember(id string, doc *markdown.Document) {
	d.result.adds = append(d.result.adds, store.Added{ID: id, Content: doc.Bytes()})
	if m := d.findMember(id); m != nil {
		m.Text = string(doc.Bytes())
	}
}

// findMember returns the entry of a member in the result, nil without one.
func (d *divider) findMember(id string) *SplitMember {
	i := slices.IndexFunc(d.result.Members, func(m SplitMember) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return &d.result.Members[i]
}

// divideMember splits a member, which becomes a group. Without an agent, a member that has no
// sections stays as it is.
func (d *divider) divideMember(ctx context.Context, id string, doc *markdown.Document, level int) (*markdown.Document, error) {
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return nil, err
	}
	kids, err := d.divide(ctx, s, level)
	// A member without sections stays as it is.
	if refused, ok := errors.AsType[*engine.Error](err); ok && refused.Code == engine.State && !d.asks {
		return doc, nil
	}
	if err != nil {
		return nil, err
	}
	if m := d.findMember(id); m != nil {
		m.Members = kids
	}
	return doc.Apply(markdown.Set("type", string(spec.Group)), markdown.Set("members", kids))
}
