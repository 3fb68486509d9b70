package view

import (
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/taskfields"

	"chant/engine/store"
)

// ListInput selects specs. Without a filter, all specs are listed.
type ListInput struct {
	Status *string       `json:"status,omitempty" jsonschema:"Filter by status (pending, in_progress, paused, completed, failed, needs_attention, cancelled, ready, blocked, invalid)"`
	Ready  bool          `json:"ready,omitempty" jsonschema:"Only specs that can be worked now"`
	Limit  int           `json:"limit,omitempty" jsonschema:"Maximum number of specs to return, 0 for all"`
	Cursor engine.Cursor `json:"cursor,omitempty" jsonschema:"Where the list continues: next_cursor of the result before"`
	Selection
	Scope Scope `json:"-"` // of ListAll

	Mentions string `json:"mentions,omitempty" jsonschema:"Only specs whose approval or discussion names this person"`

	Sort    string `json:"sort,omitempty" jsonschema:"Order: id, title, status, type, priority, assignee, created, updated or cost"`
	Reverse bool   `json:"reverse,omitempty" jsonschema:"The last first"`
	Details bool   `json:"details,omitempty" jsonschema:"Also when specs were created and changed, and what they cost"`
}

// ListResult is a limited list.
type ListResult struct {
	Specs []Row `json:"specs"`
	engine.Page
	Limit int `json:"limit"`

	// Near is a label that some specs have and that is like one asked for, if none has any of those.
	Near string `json:"-"`
}

// List returns specs in id order. A file that cannot be read is a row with the
// status "invalid". Errors: Usage for an unknown status.
func List(ctx context.Context, p *engine.Project, in ListInput) (ListResult, error) {
	if err := in.check(p); err != nil {
		return ListResult{}, err
	}
	start, err := in.Cursor.Start(next.List.Help())
	if err != nil {
		return ListResult{}, err
	}
	// The first specs can be listed without reading the others.
	if in.Limit > 0 && start == 0 && in.isUnfiltered() && in.Sort == "" && !in.Reverse && !in.Details {
		return listFirst(ctx, p, in.Limit)
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return ListResult{}, engine.Wrap(err, "")
	}
	set, g, there := seeElsewhere(ctx, p, set, set.Graph())
	rows := []Row{}
	if in.isUnfiltered() {
		rows = make([]Row, 0, len(set.Specs)+len(set.Invalid))
	}
	for _, s := range set.Specs {
		if row := markElsewhere(row(p, g, s), there); in.match(s, row) {
			rows = append(rows, row)
		}
	}
	for _, bad := range set.Invalid {
		if row := invalidRow(bad); in.matchInvalid() {
			rows = append(rows, row)
		}
	}
	if in.Archived {
		archived, unreadable, err := archivedRows(p, in.Selection)
		if err != nil {
			return ListResult{}, engine.Wrap(err, "")
		}
		rows = append(rows, slices.DeleteFunc(archived, func(r Row) bool { return !in.hasStatus(r) })...)
		for _, bad := range unreadable {
			if row := invalidRow(bad); in.matchInvalid() {
				rows = append(rows, row)
			}
		}
	}
	// Specs are already in order; only files that cannot be read, and archived specs, were appended.
	if len(set.Invalid) > 0 || in.Archived {
		spec.SortByID(rows, func(r Row) string { return r.ID })
	}
	rows, err = in.byHistory(ctx, p, rows)
	if err == nil {
		rows, err = in.byMention(ctx, p, rows)
	}
	if err == nil && in.sortsByDetail() {
		err = addDetails(ctx, p, rows)
	}
	if err != nil {
		return ListResult{}, engine.Wrap(err, "")
	}
	if in.Sort != "" || in.Reverse {
		sortRows(rows, in.Sort, in.Reverse)
	}
	result := ListResult{Limit: in.Limit}
	result.Specs, result.Page = engine.Cut(rows, start, in.Limit)
	if in.Details && !in.sortsByDetail() {
		if err := addDetails(ctx, p, result.Specs); err != nil {
			return ListResult{}, engine.Wrap(err, "")
		}
	}
	if len(rows) == 0 && len(in.Labels) > 0 {
		result.Near = labelNear(set.Specs, in.Labels)
	}
	// Only for the rows that are shown.
	return engine.Done(result, markQuestions(p, result.Specs), "")
}

func (in ListInput) isUnfiltered() bool {
	return in.Status == nil && !in.Ready && in.Mentions == "" && in.Selection.isEmpty()
}

// byMention keeps the rows of specs whose approval, discussion or comments name a person.
func (in ListInput) byMention(ctx context.Context, p *engine.Project, rows []Row) ([]Row, error) {
	if in.Mentions == "" {
		return rows, nil
	}
	name := strings.ToLower(in.Mentions)
	var kept []Row
	for _, r := range rows {
		// What cannot be read mentions no one.
		if r.Error != "" {
			continue
		}
		s, err := readRow(ctx, p, r)
		if err != nil {
			return nil, err
		}
		if strings.Contains(strings.ToLower(discussionOf(s)), name) {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

func readRow(ctx context.Context, p *engine.Project, r Row) (*spec.File, error) {
	if r.Archived {
		return p.Store.GetArchived(r.ID)
	}
	return p.Store.Get(ctx, r.ID)
}

// discussionOf is what people have said about a spec, with their names.
func discussionOf(s *spec.File) string {
	discussion, _ := s.Doc.Section(spec.DiscussionHeading)
	said := []string{string(discussion)}
	if a := s.Fields.Approval; a != nil {
		said = append(said, a.By)
	}
	// Notes that cannot be read mention no one.
	notes, _ := taskfields.ReadNotes(s.Doc)
	for _, c := range notes.Comments {
		said = append(said, c.Author, c.Text)
	}
	return strings.Join(said, "\n")
}

// check refuses values that no spec can have.
func (in *ListInput) check(p *engine.Project) error {
	if err := checkListed(in.Status); err != nil {
		return err
	}
	if in.Sort != "" && !slices.Contains(Sorts(), in.Sort) {
		return engine.Fail(engine.Usage, next.List.Help(), "%s", spec.Unknown("order", in.Sort, Sorts()))
	}
	return in.Selection.check(p, next.List.Help())
}

// sortsByDetail reports whether the order needs what is otherwise read only for the rows that are returned.
func (in ListInput) sortsByDetail() bool {
	return in.Sort == "created" || in.Sort == "updated" || in.Sort == "cost"
}

func addDetails(ctx context.Context, p *engine.Project, rows []Row) error {
	if err := addTimes(ctx, p, rows); err != nil {
		return err
	}
	return addCosts(p, rows)
}

// listFirst lists the first specs, without reading the others.
func listFirst(ctx context.Context, p *engine.Project, limit int) (ListResult, error) {
	set, ids, total, err := p.Store.LoadFirst(ctx, limit)
	if err != nil {
		return ListResult{}, engine.Wrap(err, "")
	}
	set, g, there := seeElsewhere(ctx, p, set, set.Graph())
	rows := []Row{}
	for _, id := range ids {
		if s := g.Spec(id); s != nil {
			rows = append(rows, markElsewhere(row(p, g, s), there))
		} else if at := slices.IndexFunc(set.Invalid, func(bad store.Invalid) bool { return bad.ID == id }); at >= 0 {
			rows = append(rows, invalidRow(set.Invalid[at]))
		}
	}
	return engine.Done(ListResult{Specs: rows, Page: engine.PageAt(0, len(rows), total), Limit: limit}, markQuestions(p, rows), "")
}

// labelNear returns the label that was probably meant by one of those that no spec has, "" if there is none.
func labelNear(specs []*spec.Spec, asked []string) string {
	var all []string
	for _, s := range specs {
		all = append(all, s.Fields.Labels...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, label := range asked {
		if near := spec.Nearest(label, all); near != "" && !slices.Contains(all, label) {
			return near
		}
	}
	return ""
}

func (in ListInput) match(s *spec.Spec, row Row) bool {
	return (!in.Ready || row.Ready) && in.hasStatus(row) && in.Selection.matches(s)
}

func (in ListInput) hasStatus(row Row) bool {
	return in.Status == nil || hasStatus(*in.Status, row.Status, row.Ready, row.Blocked)
}

// matchInvalid reports whether unreadable files are listed: not if a filter asks for
// something that only a readable file contains.
func (in ListInput) matchInvalid() bool {
	only := in.Selection
	only.Archived = false
	return !in.Ready && only.isEmpty() && (in.Status == nil || *in.Status == invalid)
}

// ReadyInput limits the list.
type ReadyInput struct {
	Limit   int           `json:"limit,omitempty" jsonschema:"Maximum number of specs to return, 0 for all"`
	Cursor  engine.Cursor `json:"cursor,omitempty" jsonschema:"Where the list continues: next_cursor of the result before"`
	Details bool          `json:"details,omitempty" jsonschema:"Also when specs were created and changed, and what they cost"`
}

// Ready lists the specs that can be worked now, in id order.
func Ready(ctx context.Context, p *engine.Project, in ReadyInput) (ListResult, error) {
	return List(ctx, p, ListInput{Ready: true, Limit: in.Limit, Cursor: in.Cursor, Details: in.Details})
}

// IDs lists the ids of all active specs in order, including invalid ones, without
// reading the files.
func IDs(ctx context.Context, p *engine.Project) ([]string, error) {
	ids, err := p.Store.IDs(ctx)
	slices.SortFunc(ids, spec.Compare)
	return ids, engine.Wrap(err, "")
}

// Title returns the title of a spec, "" if its file is invalid or gone.
func Title(ctx context.Context, p *engine.Project, id string) string {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return ""
	}
	return s.Title
}
