package view

import (
	"context"
	"fmt"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
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
	Fields  []string    `json:"fields"`
	Specs   []ExportRow `json:"specs"`
	Invalid []string    `json:"invalid,omitempty"` // files that cannot be read and are therefore missing, with the reason
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
	if err := in.check(); err != nil {
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
		if !in.selects(g, &s.Spec) {
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
	return r, ctx.Err()
}

// check refuses values that no spec can have, which would silently select nothing. Any
// type is allowed, because a spec may have an unknown type.
func (in ExportInput) check() error {
	known := ExportStatuses()
	for _, word := range in.Statuses {
		if err := checkStatus(word, known, next.Export.Help()); err != nil {
			return err
		}
	}
	for _, day := range []string{in.From, in.To} {
		if _, err := time.Parse(spec.DateLayout, day); day != "" && err != nil {
			return engine.Fail(engine.Usage, next.Export.Help(), "invalid day %q (use one such as 2026-01-31)", spec.Echo(day))
		}
	}
	if in.From != "" && in.To != "" && in.From > in.To {
		return engine.Fail(engine.Usage, next.Export.Help(), "no day lies from %s to %s", in.From, in.To)
	}
	return nil
}

func (in ExportInput) selects(g *spec.Graph, s *spec.Spec) bool {
	ready, blocked := !s.Archived && g.Ready(s.ID), !s.Archived && g.Blocked(s.ID)
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
	all := append(slices.Clone(active), archived...)
	slices.SortStableFunc(all, func(a, b *spec.File) int { return spec.Compare(a.ID, b.ID) })
	return all, nil
}
