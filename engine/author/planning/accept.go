package planning

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
)

// SelectInput names a plan.
type SelectInput struct {
	ID string `json:"id,omitempty" jsonschema:"Plan ID (full or partial); the newest one that waits for a decision by default"`
}

// Show returns a plan, a draft or one that was accepted. Error: NotFound.
func Show(ctx context.Context, p *engine.Project, in SelectInput) (_ PlanResult, err error) {
	defer convert(&err)
	d, err := load(ctx, p, in.ID)
	if err != nil {
		return PlanResult{}, err
	}
	return d.result(ctx, p)
}

// Text returns the file of a planned spec, for people.
func Text(ctx context.Context, p *engine.Project, plan, id string) (_ string, err error) {
	defer func() { err = engine.Wrap(err, "") }()
	d, err := load(ctx, p, plan)
	if err != nil {
		return "", err
	}
	at, err := d.find(id)
	if err != nil {
		return "", err
	}
	return string(d.specs[at].doc.Bytes()), nil
}

// Accept writes the specs of a draft and its document in one commit, and removes the branch. Errors: State for a plan that is
// no finished draft; Conflict for a spec that exists.
func Accept(ctx context.Context, p *engine.Project, in SelectInput) (_ PlanResult, err error) {
	defer convert(&err)
	if err := engine.MayInside(p, "plan", ""); err != nil {
		return PlanResult{}, err
	}
	d, err := load(ctx, p, in.ID)
	if err != nil {
		return PlanResult{}, err
	}
	if d.Status == Accepted && d.tip != "" {
		// A process that was killed has done the rest.
		d.branch = p.Store.PlanBranch(d.ID)
		_, err := d.remove(ctx, p, false)
		if d.branch = ""; err != nil {
			return PlanResult{}, err
		}
		return d.result(ctx, p)
	}
	return accept(ctx, p, d)
}

func accept(ctx context.Context, p *engine.Project, d draft) (PlanResult, error) {
	if err := d.checkDraft(); err != nil {
		return PlanResult{}, err
	}
	if d.isEmpty() {
		return PlanResult{}, engine.Fail(engine.State, next.PlanShow.On(d.ID), "plan %q has no specs: what it asks for is there already", d.ID)
	}
	if err := d.checkFree(ctx, p); err != nil {
		return PlanResult{}, err
	}
	// Specs that a killed process has written but not committed would look like those of a plan that was accepted.
	if err := store.FinishKilled(ctx, p.Store); err != nil {
		return PlanResult{}, err
	}
	batch := store.NewBatch(p.Store)
	if err := d.writeForeign(ctx, p, batch); err != nil {
		return PlanResult{}, err
	}
	changes, err := d.write(ctx, p, batch)
	if err != nil {
		return PlanResult{}, err
	}
	amended, err := d.writeAmends(ctx, p, batch)
	if err != nil {
		return PlanResult{}, err
	}
	changes = append(changes, amended...)
	d.Status, d.document.Draft = Accepted, d.tip
	d.document.Specs = nil
	for _, s := range d.specs {
		d.document.Specs = append(d.document.Specs, s.id)
	}
	text, err := d.bytes(d.specs)
	if err != nil {
		return PlanResult{}, err
	}
	// A revision replaces the document that was accepted before.
	old, err := p.Store.ReadTree(p.Store.Home(), planPath(d.ID))
	if err != nil {
		old = nil
	}
	batch.Write(planPath(d.ID), old, text)
	saved, err := batch.Commit(ctx, "accept plan "+d.ID)
	if err != nil {
		return PlanResult{}, err
	}
	if _, err := d.remove(ctx, p, false); err != nil {
		return PlanResult{}, err
	}
	d.branch = ""
	r, err := d.result(ctx, p)
	r.Commit, r.Changes = saved.Commit, changes
	return r, err
}

// isEmpty reports whether accepting a plan would change nothing.
func (d *draft) isEmpty() bool { return len(d.specs)+len(d.amends)+len(d.Retire) == 0 }

// checkDraft refuses what a person cannot decide about.
func (d *draft) checkDraft() error {
	switch d.Status {
	case Drafting:
		return engine.Fail(engine.State, next.PlanResume.On(d.ID), "the criteria of plan %q have not all run yet", d.ID)
	case Draft:
		if !d.isTried() {
			return engine.Fail(engine.State, next.PlanResume.On(d.ID), "the criteria of plan %q have changed since they ran", d.ID)
		}
		return nil
	}
	return engine.Fail(engine.State, next.PlanShow.On(d.ID), "plan %q is %s", d.ID, d.Status)
}

// write adds the specs of a draft to a batch: new ones, and those of a revision that nobody works on.
func (d *draft) write(ctx context.Context, p *engine.Project, batch *store.Batch) ([]Change, error) {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	was, err := d.accepted(p)
	if err != nil {
		return nil, err
	}
	var changes []Change
	all := slices.Clone(set.Specs)
	for _, s := range d.specs {
		file, err := p.Store.Parse(s.id, store.SpecPath(s.id), s.doc.Bytes())
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(all, func(o *spec.Spec) bool { return o.ID == s.id })
		if at < 0 {
			if slices.Contains(set.Archived, s.id) {
				continue
			}
			batch.Create(s.id, "add", s.doc.Bytes())
			changes = append(changes, Change{Kind: Added, ID: s.id, Title: s.doc.Title()})
			all = append(all, &file.Spec)
			continue
		}
		old, err := p.Store.Raw(ctx, s.id)
		if err != nil {
			return nil, err
		}
		// Of work that has begun, or has landed since, the draft has what was there before.
		before, err := p.Repo.ReadFile(ctx, d.Base, store.SpecPath(s.id))
		if err != nil && !errors.Is(err, gitops.ErrNotFound) {
			return nil, err
		}
		home, err := p.Store.ReadTree(p.Store.Home(), store.SpecPath(s.id))
		if err != nil {
			home = nil
		}
		if slices.ContainsFunc([][]byte{old, before, home}, func(have []byte) bool { return bytes.Equal(have, s.doc.Bytes()) }) {
			continue
		}
		switch {
		case !slices.Contains(was, s.id):
			return nil, engine.Fail(engine.Conflict, next.Show.On(s.id), "there is another spec %q already, which plan %q does not replace", s.id, d.ID)
		case isFixed(all[at]):
			return nil, engine.Fail(engine.Conflict, next.Show.On(s.id), "spec %q is %s: the plan cannot change it", s.id, all[at].Status)
		}
		batch.Write(store.SpecPath(s.id), old, s.doc.Bytes())
		changes = append(changes, Change{Kind: Changed, ID: s.id, Title: s.doc.Title()})
		all[at] = &file.Spec
	}
	for _, id := range was {
		if slices.ContainsFunc(d.specs, func(s planned) bool { return s.id == id }) {
			continue
		}
		at := slices.IndexFunc(all, func(o *spec.Spec) bool { return o.ID == id })
		if at < 0 {
			continue
		}
		if isFixed(all[at]) {
			return nil, engine.Fail(engine.Conflict, next.Show.On(id), "spec %q is %s: the plan cannot remove it", id, all[at].Status)
		}
		old, err := p.Store.Raw(ctx, id)
		if err != nil {
			return nil, err
		}
		batch.Remove(id, "delete", old)
		changes = append(changes, Change{Kind: Removed, ID: id, Title: all[at].Title})
		all = slices.Delete(all, at, at+1)
	}
	if cycles := spec.NewGraph(all, set.Archived).Cycles(); len(cycles) > 0 {
		for _, s := range d.specs {
			if slices.Contains(cycles[0], s.id) {
				return nil, engine.Fail(engine.Invalid, next.PlanShow.On(d.ID), "dependencies would go in a circle: %s", strings.Join(cycles[0], " -> "))
			}
		}
	}
	return changes, nil
}

// accepted lists the specs of the version of a plan that was accepted before, none for a new plan.
func (d *draft) accepted(p *engine.Project) ([]string, error) {
	src, err := p.Store.ReadTree(p.Store.Home(), planPath(d.ID))
	if err != nil {
		return nil, nil
	}
	was, err := readDocument(d.ID, src)
	return was.Specs, err
}

// isFixed reports whether a plan leaves a spec as it is: somebody works on it, or has.
func isFixed(s *spec.Spec) bool { return s.Status != spec.Pending || s.Branch != "" }

// DropResult names a plan that was dropped.
type DropResult struct {
	Plan string `json:"plan"`
	Kept string `json:"kept"` // the ref that has its commits
}

// Drop removes a draft; its commits stay under a ref. Error: State for a plan that was accepted.
func Drop(ctx context.Context, p *engine.Project, in SelectInput) (_ DropResult, err error) {
	defer convert(&err)
	if err := engine.MayInside(p, "plan", ""); err != nil {
		return DropResult{}, err
	}
	// Also one that cannot be read.
	d, err := find(ctx, p, in.ID)
	if err != nil {
		return DropResult{}, err
	}
	if err := d.checkFree(ctx, p); err != nil {
		return DropResult{}, err
	}
	if d.branch == "" {
		return DropResult{}, engine.Fail(engine.State, next.PlanShow.On(d.ID), "plan %q was accepted; its specs can be cancelled", d.ID)
	}
	r := DropResult{Plan: d.ID}
	r.Kept, err = d.remove(ctx, p, true)
	return r, err
}

// Resume tries the criteria of a plan whose planning was interrupted, or whose branch a person has changed. Error: State for a plan that is no such draft.
func Resume(ctx context.Context, p *engine.Project, in SelectInput) (_ PlanResult, err error) {
	var d draft
	defer func() { err = d.refusal(err) }()
	if err := engine.MayInside(p, "plan", ""); err != nil {
		return PlanResult{}, err
	}
	if d, err = load(ctx, p, in.ID); err != nil {
		return PlanResult{}, err
	}
	if d.Status != Drafting && (d.Status != Draft || d.isTried()) {
		return PlanResult{}, engine.Fail(engine.State, next.PlanShow.On(d.ID), "the planning of %q was not interrupted: it is %s", d.ID, d.Status)
	}
	if err := d.retry(ctx, p); err != nil {
		return PlanResult{}, err
	}
	d.Status = Draft
	if err := d.save(ctx, p, "resume"); err != nil {
		return PlanResult{}, err
	}
	return d.result(ctx, p)
}

// retry runs the criteria of a draft.
func (d *draft) retry(ctx context.Context, p *engine.Project) error {
	pl, err := newTrier(ctx, p, d.ID, d.Idea)
	if err != nil {
		return err
	}
	pl.base = d.Base
	if d.Tried, err = pl.try(ctx, slices.Concat(d.specs, d.amends), d.Tried); err != nil {
		return err
	}
	d.specs, err = settle(d.specs, d.Tried)
	return err
}

// isTried reports whether the criteria of a draft are those that have run: a person may have changed its branch.
func (d *draft) isTried() bool {
	for _, s := range d.specs {
		all := spec.Criteria(s.doc)
		ran, have := d.Tried[s.id]
		// What a revision leaves as it is has run long ago.
		if !have {
			continue
		}
		if len(all) != len(ran) {
			return false
		}
		for i, c := range all {
			var steps []criteria.Step
			for _, line := range c.Commands {
				steps = append(steps, criteria.Step{Line: line})
			}
			now, was := asTried(c.Text, steps), ran[i]
			if now.Command != was.Command && (now.Command != "" || was.State != CannotRun) || now.Text != was.Text && now.Text != was.lost() {
				return false
			}
		}
	}
	return true
}
