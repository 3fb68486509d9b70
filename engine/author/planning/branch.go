package planning

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/disk"
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

// checkFree refuses to change a branch that a worktree has checked out, whose files would then differ from it.
func (d *draft) checkFree(ctx context.Context, p *engine.Project) error {
	if d.branch == "" {
		return nil
	}
	trees, err := p.Repo.Worktrees(ctx)
	for _, t := range trees {
		if t.Branch == d.branch {
			return engine.Fail(engine.Conflict, next.Shell("git -C %q switch --detach", t.Path), "the branch of plan %q is checked out in %q", d.ID, t.Path)
		}
	}
	return err
}

// save commits a draft on its branch, which it creates. Error: Conflict if somebody else has changed it meanwhile.
func (d *draft) save(ctx context.Context, p *engine.Project, what string) error {
	if err := d.checkFree(ctx, p); err != nil {
		return err
	}
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

// isLeftOver reports whether the branch of a draft was accepted as it is: the process that did was killed before it removed it.
func isLeftOver(p *engine.Project, r gitops.Ref) bool {
	src, err := engine.ReadOwn(p, planPath(r.Name))
	if err != nil {
		return false
	}
	d, err := readDocument(r.Name, src)
	return err == nil && d.Status == Accepted && d.Draft == r.Hash
}

// accepted lists the ids of the plans that home has, also where git ignores them.
func accepted(p *engine.Project) ([]string, error) {
	_, err := disk.RealBelow(engine.Home(p), store.PlansDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(os.DirFS(engine.Home(p)), store.PlansDir)
	var out []string
	for _, e := range entries {
		if id, is := strings.CutSuffix(e.Name(), ".md"); is {
			out = append(out, id)
		}
	}
	return out, err
}

// checkRoom refuses a branch of a person in whose name those of plans would have to be.
func checkRoom(ctx context.Context, p *engine.Project) error {
	for name := path.Dir(p.Store.PlanBranch("x")); name != "."; name = path.Dir(name) {
		refs, err := p.Repo.Refs(ctx, "refs/heads/"+name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(refs, func(r gitops.Ref) bool { return r.Name == "refs/heads/"+name }) {
			return engine.Fail(engine.Conflict, next.Shell("git branch -m %s OTHER-NAME", name), "plans are branches below %q, and there is a branch of that name", name+"/")
		}
	}
	return nil
}

// load reads a plan by its id or a part of it; "" is the newest draft. Errors: NotFound, Usage for several.
func load(ctx context.Context, p *engine.Project, text string) (draft, error) {
	d, err := find(ctx, p, text)
	if err != nil {
		return draft{}, err
	}
	if d.branch == "" {
		tip := d.tip
		d, err = loadAccepted(p, d.ID)
		d.tip = tip
		return d, err
	}
	return d.read(ctx, p)
}

// find returns a plan by its id or a part of it, of which nothing was read but its branch; of one that was accepted, only what tip
// a branch has that is left over.
func find(ctx context.Context, p *engine.Project, text string) (draft, error) {
	refs, err := drafts(ctx, p)
	if err != nil {
		return draft{}, err
	}
	if text == "" {
		return newest(ctx, p, refs)
	}
	ids, err := accepted(p)
	if err != nil {
		return draft{}, err
	}
	for _, r := range refs {
		ids = append(ids, r.Name)
	}
	slices.Sort(ids)
	id, err := pick(slices.Compact(ids), text)
	if err != nil {
		return draft{}, err
	}
	d := draft{document: document{ID: id}}
	if at := slices.IndexFunc(refs, func(r gitops.Ref) bool { return r.Name == id }); at >= 0 {
		if d.tip = refs[at].Hash; !isLeftOver(p, refs[at]) {
			d.branch = p.Store.PlanBranch(id)
		}
	}
	return d, nil
}

// read reads a draft from its branch.
func (d draft) read(ctx context.Context, p *engine.Project) (draft, error) {
	src, err := p.Repo.ReadFile(ctx, d.tip, planPath(d.ID))
	if errors.Is(err, gitops.ErrNotFound) {
		return draft{}, errNoPlan{d.branch, planPath(d.ID)}.refusal()
	}
	if err != nil {
		return draft{}, err
	}
	doc, err := readDocument(d.ID, src)
	if err != nil {
		return draft{}, err
	}
	out := draft{document: doc, branch: d.branch, tip: d.tip}
	err = out.readSpecs(func(id string) ([]byte, error) { return p.Repo.ReadFile(ctx, d.tip, store.SpecPath(id)) })
	return out, err
}

// errNoPlan is a branch with the name of a draft that has none: a person has made it.
type errNoPlan struct{ branch, path string }

func (e errNoPlan) Error() string { return fmt.Sprintf("branch %q has no file %q", e.branch, e.path) }

func (e errNoPlan) refusal() error {
	return &engine.Error{Code: engine.Invalid, Message: e.Error(), Next: next.Shell("git log %s", e.branch), Err: e}
}

// newest returns the draft that was made last. One that cannot be read is returned if there is no other.
func newest(ctx context.Context, p *engine.Project, refs []gitops.Ref) (draft, error) {
	var last draft
	var broken error
	for _, r := range refs {
		if isLeftOver(p, r) {
			continue
		}
		d, err := draft{document: document{ID: r.Name}, branch: p.Store.PlanBranch(r.Name), tip: r.Hash}.read(ctx, p)
		if _, none := errors.AsType[errNoPlan](err); none {
			continue
		}
		if err != nil {
			broken = err
			continue
		}
		if last.ID == "" || !d.Created.Before(last.Created) {
			last = d
		}
	}
	switch {
	case last.ID != "":
		return last, nil
	case broken != nil:
		return draft{}, broken
	}
	return draft{}, engine.Fail(engine.NotFound, next.PlanList.On(), "no plan waits for a decision")
}

// pick returns the id that a text means.
func pick(ids []string, text string) (string, error) {
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
	err = d.readSpecs(func(id string) ([]byte, error) {
		if src, err := p.Store.ReadTree(p.Store.Home(), store.SpecPath(id)); err == nil {
			return src, nil
		}
		_, src, err := p.Store.RawArchived(id)
		return src, err
	})
	return d, err
}

// readSpecs reads the specs of a plan. One that is gone is left out. Error: *markdown.SyntaxError.
func (d *draft) readSpecs(read func(id string) ([]byte, error)) error {
	for i, id := range slices.Concat(d.document.Specs, d.document.Amends) {
		// A person may have changed the list.
		if _, err := spec.ParseID(id); err != nil || i < len(d.document.Specs) && slices.Contains(d.document.Specs[:i], id) {
			return &markdown.SyntaxError{Path: planPath(d.ID), Line: 1, Msg: fmt.Sprintf("specs: %q is no ID of a spec, or there twice", id)}
		}
		src, err := read(id)
		if err != nil {
			delete(d.Tried, id)
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
