package view

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/advice"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"

	"chant/engine/store"
	"chant/text"
)

// ExportInput selects specs and their fields. Without a filter, all specs are exported.
type ExportInput struct {
	Statuses []string // only specs with one of these, including ready and blocked
	Type     string
	Labels   []string // only specs with one of these
	Ready    bool     // only specs that can be worked now
	From, To string   // the days of ids, YYYY-MM-DD, both included
	Archived bool     // archived specs too
	Fields   []string // names of fields, in order; "all" for all, none for the default ones
}

// ExportResult is a table of specs in id order.
type ExportResult struct {
	Fields []string    `json:"fields"`
	Specs  []ExportRow `json:"specs"`
	engine.Page
	Invalid []string `json:"invalid,omitempty"` // files that cannot be read and are therefore missing, with the reason
}

// Export returns the selected fields of the selected specs. Errors: Usage for an unknown
// status or field and an invalid day; a type may be any word.
func Export(ctx context.Context, p *engine.Project, in ExportInput) (ExportResult, error) {
	result, err := export(ctx, p, in)
	return result, engine.Wrap(err, "")
}

func export(ctx context.Context, p *engine.Project, in ExportInput) (ExportResult, error) {
	fields, err := fieldsNamed(p, in.Fields)
	if err != nil {
		return ExportResult{}, err
	}
	if err := in.check(p); err != nil {
		return ExportResult{}, err
	}
	set, all, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return ExportResult{}, err
	}
	g := set.Graph()
	if in.Archived {
		if all, err = withArchived(p, set, all); err != nil {
			return ExportResult{}, err
		}
	}
	r := ExportResult{Fields: namesOf(fields), Specs: []ExportRow{}}
	for _, s := range all {
		if !in.selects(p, g, s) {
			continue
		}
		row, err := exportRow(p, g, s, fields)
		if err != nil {
			return ExportResult{}, err
		}
		r.Specs = append(r.Specs, row)
	}
	for _, bad := range set.Invalid {
		r.Invalid = append(r.Invalid, bad.Err.Error())
	}
	r.Page = engine.Whole(len(r.Specs))
	return r, ctx.Err()
}

// check refuses values that no spec can have, which would silently select nothing. Any
// type is allowed, because a spec may have an unknown type.
func (in *ExportInput) check(p *engine.Project) error {
	known := ExportStatuses()
	for _, word := range in.Statuses {
		if err := checkStatus(word, known, next.Export.Help()); err != nil {
			return err
		}
	}
	for _, day := range []*string{&in.From, &in.To} {
		at, err := engine.ReadTime(p, *day, next.Export.Help())
		if err != nil {
			return err
		}
		// Ids have days.
		if *day != "" {
			*day = at.Format(spec.DateLayout)
		}
	}
	if in.From != "" && in.To != "" && in.From > in.To {
		return engine.Fail(engine.Usage, next.Export.Help(), "no day lies from %s to %s", in.From, in.To)
	}
	return nil
}

func (in ExportInput) selects(p *engine.Project, g *spec.Graph, s *spec.File) bool {
	ready, blocked := exported{s: s, g: g, p: p}.readyOrBlocked()
	is := func(word string) bool { return hasStatus(word, string(s.Status), ready, blocked) }
	switch {
	case in.Ready && !ready:
		return false
	case len(in.Statuses) > 0 && !slices.ContainsFunc(in.Statuses, is):
		return false
	case in.Type != "" && in.Type != string(s.Fields.Type):
		return false
	case !s.HasLabel(in.Labels):
		return false
	}
	return in.inDateRange(s.ID)
}

// inDateRange reports whether the day of an id is in the range. An id without a day is in no range.
func (in ExportInput) inDateRange(text string) bool {
	if in.From == "" && in.To == "" {
		return true
	}
	id, err := spec.ParseID(text)
	return err == nil && id.Date >= in.From && (in.To == "" || id.Date <= in.To)
}

// withArchived lists active and archived specs, and adds archived specs that cannot be read to
// the invalid ones of the set.
func withArchived(p *engine.Project, set *store.Set, active []*spec.File) ([]*spec.File, error) {
	archived, unreadable, err := p.Store.LoadArchived()
	if err != nil {
		return nil, err
	}
	for _, bad := range unreadable {
		bad.Err = fmt.Errorf("archived %q: %w", bad.ID, bad.Err)
		set.Invalid = append(set.Invalid, bad)
	}
	// A copy, because the list belongs to the store.
	all := append(slices.Clone(active), archived...)
	slices.SortStableFunc(all, func(a, b *spec.File) int { return spec.Compare(a.ID, b.ID) })
	return all, nil
}

// invalid is the status of a row whose file cannot be read.
const invalid = string(spec.Invalid)

// computedStatuses lists the statuses that are computed from the graph and not stored.
func computedStatuses() []string { return []string{"ready", "blocked"} }

// checkListed refuses a status that no row of a list can have; nil means no filter.
func checkListed(status *string) error {
	if status == nil {
		return nil
	}
	return checkStatus(*status, slices.Concat(spec.StatusWords(), computedStatuses(), []string{invalid}), next.List.On())
}

// checkStatus refuses an unknown status.
func checkStatus(word string, known []string, step next.Step) error {
	if slices.Contains(known, word) {
		return nil
	}
	return engine.Fail(engine.Usage, step, "%s", spec.Unknown("status", word, known))
}

// hasStatus reports whether a word of a filter matches a spec: its status, or what the graph says about it.
func hasStatus(word, status string, ready, blocked bool) bool {
	switch word {
	case "ready":
		return ready
	case "blocked":
		return blocked
	}
	return word == status
}

// ExportRow is one spec of an export: the value of each field, in order. As JSON it is
// an object without the fields that have no value.
type ExportRow []ExportCell

// ExportCell is one field of one spec.
type ExportCell struct {
	Name  string
	Value any // a string, []string, bool, int, float64, or nil for none
}

// MarshalJSON keeps the order.
func (r ExportRow) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for _, c := range r {
		if c.Value == nil {
			continue
		}
		name, err := text.JSON(c.Name, "")
		if err != nil {
			return nil, err
		}
		value, err := text.JSON(c.Value, "")
		if err != nil {
			return nil, err
		}
		out.WriteString("," + string(name) + ":" + string(value))
	}
	return slices.Concat([]byte("{"), bytes.TrimPrefix(out.Bytes(), []byte(",")), []byte("}")), nil
}

// exported is a spec with everything from which its fields are read.
type exported struct {
	s    *spec.File
	g    *spec.Graph
	p    *engine.Project
	used func() (int, usage.Spending) // attempts, and what their agents have used

	vacuous bool // it is completed, and had nothing to verify
}

// readyOrBlocked reports whether the spec is ready, and whether it waits; the graph has no archived ones.
func (x exported) readyOrBlocked() (ready, blocked bool) {
	if x.s.Archived {
		return false, false
	}
	return advice.ReadyOrBlocked(x.p, x.g, &x.s.Spec)
}

// exportRow reads the fields of one spec, and its journal only if a field needs it.
func exportRow(p *engine.Project, g *spec.Graph, s *spec.File, fields []exportField) (ExportRow, error) {
	var h *journal.History
	var err error
	x := exported{s: s, g: g, p: p, vacuous: s.Status == spec.Completed && advice.NothingToVerify(p, &s.Spec), used: func() (int, usage.Spending) {
		// Reading the journals of all specs takes longer than everything else, so only a field that needs one reads it.
		if h == nil && err == nil {
			h, err = journal.ReadHistory(p.Store, s.ID)
		}
		if err != nil {
			return 0, usage.Spending{}
		}
		return len(h.Attempts), usage.UsageOf(h, time.Time{})
	}}
	row := make(ExportRow, len(fields))
	for i, f := range fields {
		row[i] = ExportCell{f.name, f.value(x)}
	}
	return row, err
}

func (x exported) spent() usage.Spending {
	_, u := x.used()
	return u
}
