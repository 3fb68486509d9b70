package planning

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/format"
	"chant/engine/format/adopted"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/split"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/markdown"
)

// writeForeign writes a plan as a change of OpenSpec or a feature of spec-kit, if the settings ask for one, and makes its specs adopt
// parts of that folder. Their commands stay theirs, because those of such a folder are never run.
func (d *draft) writeForeign(ctx context.Context, p *engine.Project, batch *store.Batch) error {
	if p.Config.Plan.Write == config.PlanChant || len(d.specs) == 0 {
		return nil
	}
	root, err := os.OpenRoot(engine.Home(p))
	if err != nil {
		return err
	}
	defer root.Close()
	plan, err := d.foreign()
	if err != nil {
		return err
	}
	// A name begins with a letter there.
	name := strings.TrimLeft(d.ID, "0123456789-")
	if name == "" {
		name = "plan"
	}
	written, err := adopted.Write(root.FS(), string(p.Config.Plan.Write), name, plan)
	for n := 2; n < 100; n++ {
		if taken, is := errors.AsType[*format.ExistsError](err); !is || taken == nil {
			break
		}
		written, err = adopted.Write(root.FS(), string(p.Config.Plan.Write), fmt.Sprintf("%s-%d", name, n), plan)
	}
	if err != nil {
		return engine.Fail(engine.Invalid, next.PlanShow.On(d.ID), "plan %q cannot be written as %s: %s", d.ID, p.Config.Plan.Write, err)
	}
	for _, file := range written.Files {
		batch.Write(file.Path, nil, file.Content)
	}
	for i, s := range d.specs {
		file, err := spec.FromDocument(s.id, s.doc)
		if err != nil {
			return err
		}
		doc := s.doc.WithBody([]byte("# "+s.doc.Title()+"\n")).AppendToSection(spec.CriteriaHeading, []byte(strings.Join(criterionLines(file), "\n")))
		if doc, err = doc.Apply(markdown.Set("source", written.Dir), markdown.Set("part", written.Parts[i]), markdown.Unset("guards")); err != nil {
			return err
		}
		if d.specs[i], err = newPlanned(s.id, doc); err != nil {
			return err
		}
	}
	return d.addDriver(ctx, p, written.Dir)
}

// addDriver adds the spec of the whole folder, whose members are the specs of the plan: it completes with them, and its landing
// archives a change of OpenSpec.
func (d *draft) addDriver(ctx context.Context, p *engine.Project, dir string) error {
	id, err := newID(ctx, p)
	if err != nil {
		return err
	}
	doc, err := markdown.Parse(store.SpecPath(id), []byte("# "+spec.OneLine(d.Title)+"\n"))
	if err != nil {
		return err
	}
	var members []string
	for _, s := range d.specs {
		members = append(members, s.id)
	}
	doc, err = doc.Apply(markdown.Set("type", string(spec.Group)), markdown.Set("status", string(spec.Pending)), markdown.Set("members", members), markdown.Set("source", dir))
	if err != nil {
		return err
	}
	driver, err := newPlanned(id, doc)
	d.specs = append(slices.Clone(d.specs), driver)
	return err
}

// foreign is the plan as the writers of other formats take it.
func (d *draft) foreign() (format.Planned, error) {
	out := format.Planned{Title: d.Title, Created: d.Created.Format(time.DateOnly), Goal: d.Brief.Goal, NonGoals: d.Brief.NonGoals, Risks: d.Brief.Risks}
	if out.Goal == "" {
		out.Goal = d.Title
	}
	for _, s := range d.specs {
		file, err := spec.FromDocument(s.id, s.doc)
		if err != nil {
			return out, err
		}
		m := format.Member{Title: file.Title, What: strings.TrimSpace(afterTitle(string(s.doc.DropSections(spec.CriteriaHeading).Body()))), Files: file.Fields.TargetFiles, Labels: file.Fields.Labels}
		for _, c := range file.Criteria() {
			m.Criteria = append(m.Criteria, format.Criterion{Text: strings.TrimSpace(split.WithoutCommands(spec.OneLine(c.Text))), Command: strings.Join(c.Commands, " && ")})
		}
		for _, id := range s.dependsOn {
			if at := slices.IndexFunc(d.specs, func(o planned) bool { return o.id == id }); at >= 0 {
				m.After = append(m.After, at)
			}
		}
		out.Members = append(out.Members, m)
	}
	return out, nil
}
