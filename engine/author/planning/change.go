package planning

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// Kind is how a spec of a plan was changed.
type Kind string

// The kinds.
const (
	Added   Kind = "added"
	Changed Kind = "changed"
	Removed Kind = "removed"
	Retire  Kind = "retired"
)

// Change is one difference between two versions of a plan.
type Change struct {
	Kind  Kind   `json:"kind"`
	ID    string `json:"id"`
	Title string `json:"title"`
}

// ChangeInput is one decision of a person about a draft. Specs are named by their numbers in the plan, from 1, or their ids.
type ChangeInput struct {
	ID        string   `json:"id,omitempty" jsonschema:"Plan ID (full or partial)"`
	Drop      string   `json:"drop,omitempty" jsonschema:"Spec that is not wanted; those that wait for it wait for what it waited for"`
	Merge     []string `json:"merge,omitempty" jsonschema:"Two or more specs that become one, the first of them"`
	Split     string   `json:"split,omitempty" jsonschema:"Spec of which some criteria become a spec of their own behind it"`
	Criteria  []int    `json:"criteria,omitempty" jsonschema:"Those criteria of the spec to split, by their numbers"`
	Title     string   `json:"title,omitempty" jsonschema:"Title of the spec that is split off"`
	Move      string   `json:"move,omitempty" jsonschema:"Spec that comes to another place"`
	To        int      `json:"to,omitempty" jsonschema:"That place, from 1"`
	Criterion string   `json:"criterion,omitempty" jsonschema:"Criterion to add, as a line of the list"`
	Of        string   `json:"of,omitempty" jsonschema:"Spec that gets the criterion or the text"`

	Text []byte `json:"-"` // the whole file of a spec
}

// Edit applies one decision to a draft and tries its criteria again. Errors: Usage, State for a plan that is no draft, Invalid for a text
// that is no spec.
func Edit(ctx context.Context, p *engine.Project, in ChangeInput) (_ PlanResult, err error) {
	defer convert(&err)
	if err := engine.MayInside(p, "plan", ""); err != nil {
		return PlanResult{}, err
	}
	d, err := load(ctx, p, in.ID)
	if err == nil {
		err = d.checkDraft()
	}
	if err != nil {
		return PlanResult{}, err
	}
	what, err := d.edit(ctx, p, in)
	if err != nil {
		return PlanResult{}, err
	}
	if err := d.retry(ctx, p); err != nil {
		return PlanResult{}, err
	}
	if err := d.save(ctx, p, what); err != nil {
		return PlanResult{}, err
	}
	return d.result(ctx, p)
}

// edit applies a decision, and says in words what it was.
func (d *draft) edit(ctx context.Context, p *engine.Project, in ChangeInput) (string, error) {
	switch {
	case in.Drop != "":
		at, err := d.find(in.Drop)
		if err != nil {
			return "", err
		}
		// Before it is gone.
		what := "drop " + d.specs[at].id
		return what, d.drop(at)
	case len(in.Merge) > 0:
		return "merge " + strings.Join(in.Merge, " and "), d.merge(in.Merge)
	case in.Split != "":
		return "split " + in.Split, d.split(ctx, p, in)
	case in.Move != "":
		return "move " + in.Move, d.move(in.Move, in.To)
	case in.Criterion != "":
		return "add a criterion to " + in.Of, d.change(in.Of, func(doc *markdown.Document) (*markdown.Document, error) {
			return doc.AppendToSection(spec.CriteriaHeading, []byte("- [ ] "+spec.OneLine(in.Criterion))), nil
		})
	case in.Text != nil:
		return "edit " + in.Of, d.change(in.Of, func(doc *markdown.Document) (*markdown.Document, error) { return markdown.Parse(doc.Path(), in.Text) })
	}
	return "", engine.Fail(engine.Usage, next.Plan.Help(), "nothing was decided")
}

// find returns the index of a spec that is named by its number or by its id, also in part.
func (d *draft) find(name string) (int, error) {
	// So short a number is a place, also where an ID happens to have it.
	if n, err := strconv.Atoi(name); err == nil && len(name) < 3 {
		if n < 1 || n > len(d.specs) {
			return 0, engine.Fail(engine.Usage, next.PlanShow.On(d.ID), "plan %q has %s, and none has the number %d", d.ID, plural(len(d.specs), "spec", "specs"), n)
		}
		return n - 1, nil
	}
	var found []int
	for i, s := range d.specs {
		if s.id == name {
			return i, nil
		}
		if name != "" && strings.Contains(s.id, name) {
			found = append(found, i)
		}
	}
	if len(found) != 1 {
		return 0, engine.Fail(engine.Usage, next.PlanShow.On(d.ID), "plan %q has %s, and %q is none of them or several", d.ID, plural(len(d.specs), "spec", "specs"), spec.Echo(name))
	}
	return found[0], nil
}

// change replaces the document of a spec.
func (d *draft) change(name string, change func(*markdown.Document) (*markdown.Document, error)) error {
	at, err := d.find(name)
	if err != nil {
		return err
	}
	doc, err := change(d.specs[at].doc)
	if err != nil {
		return err
	}
	one, err := newPlanned(d.specs[at].id, doc)
	if err == nil {
		d.specs[at] = one
	}
	return err
}

// drop removes a spec. What waited for it waits for what it waited for.
func (d *draft) drop(at int) error {
	gone := d.specs[at]
	d.specs = slices.Delete(slices.Clone(d.specs), at, at+1)
	return d.replace(map[string][]string{gone.id: gone.dependsOn})
}

// replace puts other ids in the place of ids in all dependencies.
func (d *draft) replace(by map[string][]string) error {
	for i, s := range d.specs {
		var after []string
		for _, id := range s.dependsOn {
			others, gone := by[id]
			if !gone {
				others = []string{id}
			}
			for _, other := range others {
				if other != s.id && !slices.Contains(after, other) {
					after = append(after, other)
				}
			}
		}
		others, gone := by[s.redFor]
		if slices.Equal(after, s.dependsOn) && !gone {
			continue
		}
		edits := []markdown.Edit{markdown.Set("depends_on", after)}
		if len(after) == 0 {
			edits = []markdown.Edit{markdown.Unset("depends_on")}
		}
		switch {
		case gone && len(others) == 1 && slices.ContainsFunc(d.specs, func(o planned) bool { return o.id == others[0] && slices.Contains(o.dependsOn, s.id) }):
			edits = append(edits, markdown.Set("red_for", others[0]))
		case gone:
			// Without the spec that makes its tests pass, they could not land.
			edits = append(edits, markdown.Unset("red_for"))
		}
		doc, err := s.doc.Apply(edits...)
		if err != nil {
			return err
		}
		if d.specs[i], err = newPlanned(s.id, doc); err != nil {
			return err
		}
	}
	return nil
}

// merge adds the texts, criteria and files of specs to the first of them.
func (d *draft) merge(names []string) error {
	var at []int
	for _, name := range names {
		n, err := d.find(name)
		if err != nil {
			return err
		}
		if !slices.Contains(at, n) {
			at = append(at, n)
		}
	}
	if len(at) < 2 {
		return engine.Fail(engine.Usage, next.PlanShow.On(d.ID), "name two specs to merge")
	}
	first := d.specs[at[0]]
	file, err := spec.FromDocument(first.id, first.doc)
	if err != nil {
		return err
	}
	files, labels, after := slices.Clone(file.Fields.TargetFiles), slices.Clone(file.Fields.Labels), slices.Clone(first.dependsOn)
	body := strings.TrimRight(string(file.Doc.DropSections(spec.CriteriaHeading).Body()), "\n")
	lines := criterionLines(file)
	for _, n := range at[1:] {
		other, err := spec.FromDocument(d.specs[n].id, d.specs[n].doc)
		if err != nil {
			return err
		}
		text := strings.TrimSpace(string(other.Doc.DropSections(spec.CriteriaHeading).Body()))
		_, text, _ = strings.Cut(text, "\n")
		body += "\n\n## " + spec.OneLine(other.Title) + "\n\n" + strings.TrimSpace(text)
		lines = append(lines, criterionLines(other)...)
		files, labels, after = append(files, other.Fields.TargetFiles...), append(labels, other.Fields.Labels...), append(after, d.specs[n].dependsOn...)
	}
	doc := file.Doc.WithBody([]byte(body+"\n")).AppendToSection(spec.CriteriaHeading, []byte(strings.Join(unique(lines), "\n")))
	var edits []markdown.Edit
	for _, list := range []struct {
		key   string
		items []string
	}{{"target_files", files}, {"labels", labels}, {"depends_on", after}} {
		if len(list.items) > 0 {
			edits = append(edits, markdown.Set(list.key, unique(list.items)))
		}
	}
	if doc, err = doc.Apply(edits...); err != nil {
		return err
	}
	if d.specs[at[0]], err = newPlanned(first.id, doc); err != nil {
		return err
	}
	gone := map[string][]string{}
	for _, n := range at[1:] {
		gone[d.specs[n].id] = []string{first.id}
	}
	d.specs = slices.DeleteFunc(slices.Clone(d.specs), func(s planned) bool { return gone[s.id] != nil })
	return d.replace(gone)
}

// criterionLines are the criteria of a spec as lines of a list. Guards say so in their text, since numbers change.
func criterionLines(s *spec.File) []string {
	var out []string
	for _, c := range s.Criteria() {
		line := spec.OneLine(c.Text)
		if s.Fields.Guards.Covers(c.Number) && !strings.Contains(strings.ToLower(line), "keeps:") {
			line = "keeps: " + line
		}
		out = append(out, "- [ ] "+line)
	}
	return out
}

func unique(list []string) []string {
	var out []string
	for _, one := range list {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// split makes a spec of some criteria of another one, which waits for that.
func (d *draft) split(ctx context.Context, p *engine.Project, in ChangeInput) error {
	at, err := d.find(in.Split)
	if err != nil {
		return err
	}
	file, err := spec.FromDocument(d.specs[at].id, d.specs[at].doc)
	if err != nil {
		return err
	}
	var stay, moved []string
	for i, line := range criterionLines(file) {
		if slices.Contains(in.Criteria, i+1) {
			moved = append(moved, strings.TrimPrefix(line, "- [ ] "))
		} else {
			stay = append(stay, line)
		}
	}
	if len(moved) == 0 || len(stay) == 0 {
		return engine.Fail(engine.Usage, next.PlanShow.On(d.ID), "spec %q has %d criteria: name by their numbers those that become a spec of their own, and leave one", file.ID, len(stay)+len(moved))
	}
	doc := file.Doc.DropSections(spec.CriteriaHeading).AppendToSection(spec.CriteriaHeading, []byte(strings.Join(stay, "\n")))
	if doc, err = doc.Apply(markdown.Unset("guards")); err != nil {
		return err
	}
	id, err := newID(ctx, p)
	if err != nil {
		return err
	}
	title := cmp.Or(spec.OneLine(in.Title), file.Title+", part 2")
	added, err := author.Compose(id, author.AddInput{
		Description: title + "\n\nThe second part of \"" + file.Title + "\", whose text says what it is about.", Criteria: moved,
		DependsOn: []string{file.ID}, TargetFiles: file.Fields.TargetFiles, Labels: file.Fields.Labels,
	})
	if err == nil {
		added, err = added.Apply(markdown.Set("context", []string{planPath(d.ID)}))
	}
	if err != nil {
		return err
	}
	part, err := newPlanned(id, added)
	if err == nil {
		d.specs[at], err = newPlanned(file.ID, doc)
	}
	if err == nil {
		d.specs = slices.Insert(slices.Clone(d.specs), at+1, part)
	}
	return err
}

// newID returns an id that neither a spec nor a plan has.
func newID(ctx context.Context, p *engine.Project) (string, error) {
	turn, err := p.Store.Local(local.Locks, "add.lock")
	if err != nil {
		return "", err
	}
	lock, err := lockfile.AcquireWait(ctx, turn, "plan")
	if err != nil {
		return "", err
	}
	all, err := author.AllIDs(ctx, p)
	var id string
	if err == nil {
		id, err = author.NewID(p, author.AddInput{}, all)
	}
	return id, errors.Join(err, lock.Release())
}

// move puts a spec to another place in the list.
func (d *draft) move(name string, to int) error {
	at, err := d.find(name)
	if err != nil {
		return err
	}
	if to < 1 || to > len(d.specs) {
		return engine.Fail(engine.Usage, next.PlanShow.On(d.ID), "%d is no place in a plan of %s", to, plural(len(d.specs), "spec", "specs"))
	}
	one := d.specs[at]
	d.specs = slices.Insert(slices.Delete(slices.Clone(d.specs), at, at+1), to-1, one)
	return nil
}
