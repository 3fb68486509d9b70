package planning

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"chant/archive"
	"chant/engine"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/markdown"
)

// Amended is other wording for a completed spec, as an agent proposes it.
type Amended struct {
	ID       string   `json:"id"`
	Why      string   `json:"why"`
	What     string   `json:"what"` // its new text, "" to keep the one that it has
	Criteria []Wanted `json:"criteria"`
}

// Retired is a completed spec that no longer counts.
type Retired struct {
	ID  string `json:"id" yaml:"id"`
	Why string `json:"why" yaml:"why"`
}

// checkAmends returns what is wrong with the changes of completed specs. may are those that may be changed.
func (a *Answer) checkAmends(may []string) []string {
	var out []string
	seen := map[string]bool{}
	check := func(kind, id string) {
		if !slices.Contains(may, id) {
			out = append(out, fmt.Sprintf("%s names %q, which is no spec that has drifted", kind, spec.Echo(id)))
		} else if seen[id] {
			out = append(out, fmt.Sprintf("%q is amended or retired twice", id))
		}
		seen[id] = true
	}
	for _, one := range a.Amend {
		check("amend", one.ID)
	}
	for _, one := range a.Retire {
		check("retire", one.ID)
	}
	return out
}

// amended returns completed specs with other wording, as they are on the base. Their digests are those of the base, on which their
// new criteria hold.
func (pl *planner) amended(ctx context.Context, all []Amended) ([]planned, error) {
	var out []planned
	for _, one := range all {
		src, err := pl.p.Repo.ReadFile(ctx, pl.base, store.SpecPath(one.ID))
		if err != nil {
			return nil, engine.Fail(engine.State, next.Show.On(one.ID), "spec %q is not on the branch on which work lands", one.ID)
		}
		doc, err := markdown.Parse(store.SpecPath(one.ID), src)
		if err != nil {
			return nil, err
		}
		var lines []string
		for _, c := range one.Criteria {
			lines = append(lines, "- [x] "+c.Line())
		}
		if what := strings.TrimSpace(one.What); what != "" {
			doc = doc.WithBody([]byte("# " + doc.Title() + "\n\n" + what + "\n"))
		}
		doc = doc.DropSections(spec.CriteriaHeading).AppendToSection(spec.CriteriaHeading, []byte(strings.Join(lines, "\n")))
		file, err := spec.FromDocument(one.ID, doc)
		if err != nil {
			return nil, err
		}
		if sources := file.Fields.Sources(); len(sources) > 0 {
			files, err := run.TreeAt(ctx, pl.p.Repo, pl.base)
			if err != nil {
				return nil, err
			}
			if doc, err = doc.Apply(markdown.Set(spec.HashesKey, files.Digests(one.ID, sources))); err != nil {
				return nil, err
			}
		}
		changed, err := newPlanned(one.ID, doc)
		if err != nil {
			return nil, err
		}
		changed.amends = true
		out = append(out, changed)
	}
	return out, nil
}

// writeAmends adds the changes of completed specs to a batch. Error: Conflict for one that has changed since the base.
func (d *draft) writeAmends(ctx context.Context, p *engine.Project, batch *store.Batch) ([]Change, error) {
	var out []Change
	unchanged := func(id string) ([]byte, error) {
		then, err := p.Repo.ReadFile(ctx, d.Base, store.SpecPath(id))
		if err != nil {
			return nil, err
		}
		now, err := p.Store.ReadTree(p.Store.Home(), store.SpecPath(id))
		if err != nil || string(now) != string(then) {
			return nil, engine.Fail(engine.Conflict, next.Plan.On().Flag("from-drift"), "spec %q has changed since the plan was made; plan again", id)
		}
		return now, nil
	}
	for _, s := range d.amends {
		was, err := unchanged(s.id)
		if err != nil {
			return nil, err
		}
		batch.Write(store.SpecPath(s.id), was, s.doc.Bytes())
		out = append(out, Change{Changed, s.id, s.doc.Title()})
	}
	for _, one := range d.Retire {
		was, err := unchanged(one.ID)
		if err != nil {
			return nil, err
		}
		move := archive.Plan([]string{one.ID})[0]
		batch.Write(path.Join(store.Dir, move.From), was, nil)
		batch.Write(path.Join(store.Dir, move.To), nil, was)
		out = append(out, Change{Retire, one.ID, one.Why})
	}
	return out, nil
}
