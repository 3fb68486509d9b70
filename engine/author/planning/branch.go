package planning

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// draft is a plan with the texts of its specs, and the branch that has both: "" for one that was accepted.
type draft struct {
	document
	specs  []planned
	amends []planned // completed specs with other wording
	branch string
	tip    string
}

// save commits a draft on its branch, which it creates. Error: Conflict if somebody else has changed it meanwhile.
func (d *draft) save(ctx context.Context, p *engine.Project, what string) error {
	d.document.Specs = nil
	for _, s := range d.specs {
		d.document.Specs = append(d.document.Specs, s.id)
	}
	d.document.Amends = nil
	for _, s := range d.amends {
		d.document.Amends = append(d.document.Amends, s.id)
	}
	text, err := d.bytes(d.specs)
	if err != nil {
		return err
	}
	files := []gitops.File{{Path: planPath(d.ID), Content: text}}
	for _, s := range slices.Concat(d.specs, d.amends) {
		files = append(files, gitops.File{Path: store.SpecPath(s.id), Content: s.doc.Bytes()})
	}
	// Always of the base, so that specs that a draft no longer has are gone.
	top, err := p.Repo.ReadCommit(ctx, d.Base)
	if err != nil {
		return err
	}
	whole, err := p.Repo.WriteTree(ctx, top.Tree, files)
	if err != nil {
		return err
	}
	parent := d.Base
	if d.tip != "" {
		parent = d.tip
	}
	commit, err := p.Repo.CommitTree(ctx, whole, []string{parent}, "chant(plan "+d.ID+"): "+what)
	if err != nil {
		return err
	}
	if err := p.Repo.UpdateRef(ctx, "refs/heads/"+p.Store.PlanBranch(d.ID), commit, d.tip, "chant: "+what); err != nil {
		if errors.Is(err, gitops.ErrChanged) {
			return engine.Fail(engine.Conflict, next.PlanShow.On(d.ID), "the plan %q was changed by another process", d.ID)
		}
		return err
	}
	d.branch, d.tip = p.Store.PlanBranch(d.ID), commit
	return nil
}

// drafts lists the ids of the plans that are not accepted.
func drafts(ctx context.Context, p *engine.Project) ([]gitops.Ref, error) {
	prefix := "refs/heads/" + p.Store.PlanBranch("")
	all, err := p.Repo.Refs(ctx, prefix)
	for i := range all {
		all[i].Name = strings.TrimPrefix(all[i].Name, prefix)
	}
	return all, err
}

// accepted lists the ids of the plans that home has.
func accepted(ctx context.Context, p *engine.Project) ([]string, error) {
	head, err := p.Repo.Head(ctx, engine.Home(p))
	if err != nil || head.Hash == "" {
		return nil, err
	}
	entries, err := p.Repo.ReadDir(ctx, head.Hash, store.PlansDir)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if id, is := strings.CutSuffix(e.Name, ".md"); is {
			out = append(out, id)
		}
	}
	return out, err
}

// load reads a plan by its id or a part of it; "" is the newest draft. Errors: NotFound, Usage for several.
func load(ctx context.Context, p *engine.Project, text string) (draft, error) {
	refs, err := drafts(ctx, p)
	if err != nil {
		return draft{}, err
	}
	done, err := accepted(ctx, p)
	if err != nil {
		return draft{}, err
	}
	var ids []string
	for _, r := range refs {
		ids = append(ids, r.Name)
	}
	for _, id := range done {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	id, err := pick(ids, len(refs), text)
	if err != nil {
		return draft{}, err
	}
	at := slices.IndexFunc(refs, func(r gitops.Ref) bool { return r.Name == id })
	if at < 0 {
		return loadAccepted(p, id)
	}
	return loadDraft(ctx, p, refs[at])
}

// loadDraft reads a plan that is not accepted. Error: Invalid.
func loadDraft(ctx context.Context, p *engine.Project, r gitops.Ref) (draft, error) {
	d := draft{branch: p.Store.PlanBranch(r.Name), tip: r.Hash}
	src, err := p.Repo.ReadFile(ctx, d.tip, planPath(r.Name))
	if err != nil {
		return draft{}, engine.Fail(engine.Invalid, next.Shell("git log %s", d.branch), "branch %q has no plan %q: %s", d.branch, planPath(r.Name), err)
	}
	if d.document, err = readDocument(r.Name, src); err != nil {
		return draft{}, err
	}
	return d, d.readSpecs(func(id string) ([]byte, error) { return p.Repo.ReadFile(ctx, d.tip, store.SpecPath(id)) })
}

// pick returns the id that a text means. The first ids are those of drafts, in order.
func pick(ids []string, drafts int, text string) (string, error) {
	if text == "" {
		if drafts == 0 {
			return "", engine.Fail(engine.NotFound, next.PlanList.On(), "no plan waits for a decision")
		}
		// Ids begin with the day, so the last one is the newest.
		return ids[drafts-1], nil
	}
	if slices.Contains(ids, text) {
		return text, nil
	}
	found := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !strings.Contains(id, text) })
	switch len(found) {
	case 0:
		return "", engine.Fail(engine.NotFound, next.PlanList.On(), "no plan %q", spec.Echo(text))
	case 1:
		return found[0], nil
	}
	return "", engine.Fail(engine.Usage, next.PlanList.On(), "%q means several plans: %s", spec.Echo(text), strings.Join(found, ", "))
}

// loadAccepted reads a plan that home has, with the specs that are still there.
func loadAccepted(p *engine.Project, id string) (draft, error) {
	src, err := engine.ReadOwn(p, planPath(id))
	if err != nil {
		return draft{}, err
	}
	d := draft{}
	if d.document, err = readDocument(id, src); err != nil {
		return draft{}, err
	}
	return d, d.readSpecs(func(id string) ([]byte, error) {
		if src, err := p.Store.ReadTree(p.Store.Home(), store.SpecPath(id)); err == nil {
			return src, nil
		}
		_, src, err := p.Store.RawArchived(id)
		return src, err
	})
}

// readSpecs reads the specs of a plan. One that is gone is left out.
func (d *draft) readSpecs(read func(id string) ([]byte, error)) error {
	for _, id := range slices.Concat(d.document.Specs, d.document.Amends) {
		src, err := read(id)
		if err != nil {
			continue
		}
		doc, err := markdown.Parse(store.SpecPath(id), src)
		if err != nil {
			return err
		}
		one, err := newPlanned(id, doc)
		if err != nil {
			return err
		}
		if one.amends = slices.Contains(d.document.Amends, id); one.amends {
			d.amends = append(d.amends, one)
			continue
		}
		d.specs = append(d.specs, one)
	}
	return nil
}

// remove removes the branch of a draft. keep keeps its commits under the ref that it returns.
func (d *draft) remove(ctx context.Context, p *engine.Project, keep bool) (kept string, err error) {
	if d.branch == "" {
		return "", nil
	}
	if keep {
		if kept, err = tree.Rescue(ctx, p.Repo, "plan-"+d.ID, d.tip); err != nil {
			return "", err
		}
	}
	return kept, p.Repo.DeleteCheckedOut(ctx, d.branch, d.tip)
}
