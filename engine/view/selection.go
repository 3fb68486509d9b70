package view

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/history"
)

// Selection has the conditions of lists and searches that look beyond the status of a spec.
type Selection struct {
	Type      string   `json:"type,omitempty" jsonschema:"Filter by type"`
	Labels    []string `json:"labels,omitempty" jsonschema:"Only specs with one of these labels"`
	Assignee  string   `json:"assignee,omitempty" jsonschema:"Only specs of this person"`
	Priority  string   `json:"priority,omitempty" jsonschema:"Only specs with this priority"`
	Sprint    int      `json:"sprint,omitempty" jsonschema:"Only specs of this sprint"`
	Approval  string   `json:"approval,omitempty" jsonschema:"Only specs whose approval is pending, approved or rejected"`
	CreatedBy string   `json:"created_by,omitempty" jsonschema:"Only specs whose first commit this person made"`
	Since     string   `json:"since,omitempty" jsonschema:"Only specs that were changed from this time on"`
	Until     string   `json:"until,omitempty" jsonschema:"Only specs that were last changed up to this time; a day is included"`
	Archived  bool     `json:"archived,omitempty" jsonschema:"Archived specs too"`

	since, until time.Time
}

// Approvals lists the values of Selection.Approval.
func Approvals() []string { return []string{spec.ApprovalPending, spec.Approved, spec.Rejected} }

// isEmpty reports whether every spec is selected, without the archived ones.
func (s Selection) isEmpty() bool {
	return s.Type == "" && len(s.Labels) == 0 && s.Assignee == "" && s.Priority == "" && s.Sprint == 0 && s.Approval == "" && !s.needsHistory() && !s.Archived
}

// needsHistory reports whether the commits of specs decide.
func (s Selection) needsHistory() bool { return s.CreatedBy != "" || s.Since != "" || s.Until != "" }

// check refuses values that no spec can have, which would silently select nothing, and reads the times.
func (s *Selection) check(p *engine.Project, step next.Step) error {
	if s.Approval != "" && !slices.Contains(Approvals(), s.Approval) {
		return engine.Fail(engine.Usage, step, "%s", spec.Unknown("approval", s.Approval, Approvals()))
	}
	var err error
	if s.since, err = engine.ReadTime(p, s.Since, step); err == nil {
		s.until, err = engine.ReadEnd(p, s.Until, step)
	}
	return err
}

// matches reports whether a spec has what is asked for, without what only its commits say.
func (s Selection) matches(one *spec.Spec) bool {
	switch {
	case s.Type != "" && s.Type != string(one.Fields.Type):
		return false
	case !one.HasLabel(s.Labels):
		return false
	case s.Assignee != "" && !task.SameMember(s.Assignee, string(one.Fields.Assignee)):
		return false
	case s.Priority != "" && !strings.EqualFold(s.Priority, string(one.Fields.Priority)):
		return false
	case s.Sprint != 0 && !slices.Contains(one.Fields.Sprints, s.Sprint):
		return false
	}
	return s.Approval == "" || s.Approval == approvalOf(one)
}

// approvalOf is the state of a spec's approval, "" where it needs none and has none.
func approvalOf(s *spec.Spec) string {
	switch a := s.Fields.Approval; {
	case a != nil && a.Status == spec.Rejected:
		return spec.Rejected
	// An approval that the content has outrun is pending again.
	case s.ApprovalBlock().Exists():
		return spec.ApprovalPending
	case a != nil && a.Status == spec.Approved:
		return spec.Approved
	}
	return ""
}

// byHistory keeps the rows whose commits match.
func (s Selection) byHistory(ctx context.Context, p *engine.Project, rows []Row) ([]Row, error) {
	if !s.needsHistory() || len(rows) == 0 {
		return rows, nil
	}
	if err := addTimes(ctx, p, rows); err != nil {
		return nil, err
	}
	authors := map[string]string{}
	if s.CreatedBy != "" {
		found, err := history.Find(ctx, p.Store, p.Repo, idsOf(rows)...)
		if err != nil {
			return nil, err
		}
		for id, entries := range found {
			if len(entries) > 0 {
				authors[id] = entries[0].Actor
			}
		}
	}
	return slices.DeleteFunc(rows, func(r Row) bool {
		updated, err := time.Parse(time.RFC3339, r.Updated)
		known := err == nil
		return !s.since.IsZero() && (!known || updated.Before(s.since)) || !s.until.IsZero() && (!known || updated.After(s.until)) ||
			s.CreatedBy != "" && !strings.Contains(strings.ToLower(authors[r.ID]), strings.ToLower(s.CreatedBy))
	}), nil
}

func idsOf(rows []Row) []string {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
}

// addTimes adds to rows when their specs were created and last changed, by their commits. Specs without commits, and
// those that are not committed, have no times.
func addTimes(ctx context.Context, p *engine.Project, rows []Row) error {
	spans, err := history.Spans(ctx, p.Store, p.Repo, idsOf(rows)...)
	if err != nil {
		return err
	}
	for i, r := range rows {
		span, found := spans[r.ID]
		if !found {
			continue
		}
		rows[i].Created = span.Created.UTC().Format(time.RFC3339)
		// A spec that was only imported has not been changed since.
		rows[i].Updated = cmp.Or(formatTime(span.Modified), rows[i].Created)
	}
	return nil
}

func formatTime(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// addCosts adds to rows what the agents of their runs have cost, where that is known.
func addCosts(p *engine.Project, rows []Row) error {
	worked, err := p.Store.Journals(time.Time{})
	if err != nil {
		return err
	}
	for i, r := range rows {
		// Most specs of a large project have no run here, so their journals are not looked for one by one.
		if _, any := worked[r.ID]; !any {
			continue
		}
		h, err := journal.ReadHistory(p.Store, r.ID)
		if err != nil {
			return err
		}
		if u := usage.UsageOf(h, time.Time{}); u.CostUSD != nil && u.CostUnknown < u.Agents {
			rows[i].Cost = usage.RoundCost(u.CostUSD)
		}
	}
	return nil
}

// Sorts lists the orders of a list.
func Sorts() []string {
	return []string{"id", "title", "status", "type", "priority", "assignee", "created", "updated", "cost"}
}

// sortRows orders rows by a key, those with the same value by id. What has no value comes last.
func sortRows(rows []Row, by string, reverse bool) {
	key := func(r Row) string {
		switch by {
		case "title":
			return strings.ToLower(r.Title)
		case "status":
			return r.Status
		case "type":
			return r.Type
		case "assignee":
			return strings.ToLower(r.Assignee)
		case "created":
			return r.Created
		case "updated":
			return r.Updated
		}
		return ""
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		order := 0
		if by == "cost" && (a.Cost == nil) != (b.Cost == nil) {
			return cmp.Compare(costOf(b), costOf(a))
		}
		switch by {
		case "", "id":
			order = spec.Compare(a.ID, b.ID)
		case "priority":
			order = cmp.Compare(levelOf(a), levelOf(b))
		case "cost":
			order = cmp.Compare(costOf(b), costOf(a))
		default:
			x, y := key(a), key(b)
			if (x == "") != (y == "") {
				return cmp.Compare(y, x)
			}
			order = cmp.Compare(x, y)
		}
		if reverse {
			return -order
		}
		return order
	})
}

// levelOf is the priority of a row as a number, the most urgent first.
func levelOf(r Row) int {
	level, _ := spec.Priority(r.Priority).Level()
	return level
}

// costOf is the cost of a row, below zero where it is not known.
func costOf(r Row) float64 {
	if r.Cost == nil {
		return -1
	}
	return *r.Cost
}

// archivedRows returns the rows of archived specs that match.
func archivedRows(p *engine.Project, s Selection) ([]Row, []store.Invalid, error) {
	specs, invalid, err := p.Store.LoadArchived()
	var rows []Row
	for _, one := range specs {
		if s.matches(&one.Spec) {
			rows = append(rows, bareRow(p, &one.Spec))
		}
	}
	return rows, invalid, err
}
