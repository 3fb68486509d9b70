package sprint

import (
	"fmt"
	"slices"
	"time"

	"chant/markdown"
)

// Change is an edit of a sprint: nil leaves a value as it is, an empty text or a capacity of 0 removes it.
type Change struct {
	Label          *string   `json:"label,omitempty" jsonschema:"Short name"`
	Goal           *string   `json:"goal,omitempty" jsonschema:"What the sprint is for"`
	Length         *string   `json:"plan_length,omitempty" jsonschema:"Length: 10d, 2w or \"2 weeks\""`
	StartsAt       *string   `json:"starts_at,omitempty" jsonschema:"Planned start: 2026-12-01 or RFC 3339"`
	EndsAt         *string   `json:"ends_at,omitempty" jsonschema:"Planned end; it replaces plan_length"`
	CapacityPoints *int      `json:"capacity_points,omitempty" jsonschema:"Capacity in points"`
	CapacityHours  *int      `json:"capacity_hours,omitempty" jsonschema:"Capacity in hours"`
	OverdueAfter   *string   `json:"overdue_after,omitempty" jsonschema:"How long after its end the sprint counts as overdue, for reports"`
	Notes          *string   `json:"notes,omitempty" jsonschema:"Notes in Markdown"`
	StartedAt      *string   `json:"actual_started_at,omitempty" jsonschema:"When the sprint was started"`
	ClosedAt       *string   `json:"actual_closed_at,omitempty" jsonschema:"When the sprint was closed"`
	Order          *[]string `json:"-"`
}

// New returns a new sprint and what of the change does not count.
func New(id int, path string, now time.Time, c Change) (*Sprint, []Warning, error) {
	doc, err := markdown.Parse(path, nil)
	if err != nil {
		return nil, nil, err
	}
	if doc, err = doc.Apply(markdown.Set("created", seconds(now))); err != nil {
		return nil, nil, err
	}
	s, err := read(id, doc)
	if err != nil {
		return nil, nil, err
	}
	return s.Edit(now, c)
}

// Edit returns the sprint with a change made, in its canonical form, and what of the plan does not count: a length
// beside an end is dropped, times and lengths that cannot be read stay. A change of nothing returns a sprint with the
// same bytes.
func (s *Sprint) Edit(now time.Time, c Change) (*Sprint, []Warning, error) {
	next := *s
	// The order must not be shared with the sprint before the edit.
	next.Order = slices.Clone(s.Order)
	c.applyTo(&next)
	next.trim()
	var warnings []Warning
	if next.Plan.EndsAt != "" && next.Plan.Length != "" {
		next.Plan.Length = ""
		warnings = append(warnings, Warning{LengthDiscarded, "the length does not count, since the sprint has an end (ends_at)"})
	}
	// A file that chant has written remains byte for byte the same.
	if next.equal(s) && s.Modified != "" {
		_, unread := s.Dates()
		return s, append(warnings, unread...), nil
	}
	doc, err := next.write(s)
	if err != nil {
		return nil, nil, err
	}
	next.Modified = stamp(now)
	if doc, err = doc.Apply(markdown.Set("modified", seconds(now))); err != nil {
		return nil, nil, err
	}
	// Values that YAML merges from another mapping cannot be removed, so an edit is compared with what its file says.
	if again, err := read(s.ID, doc); err != nil || !again.equal(&next) {
		return nil, nil, fmt.Errorf("sprint file %q: %w", doc.Path(), markdown.ErrNotEditable)
	}
	next.doc = doc
	_, unread := next.Dates()
	return &next, append(warnings, unread...), nil
}

// seconds returns a time as it is stored.
func seconds(at time.Time) time.Time { return at.UTC().Truncate(time.Second) }

func (c Change) applyTo(s *Sprint) {
	for _, set := range []struct {
		to   *string
		text *string
	}{
		{&s.Plan.Label, c.Label}, {&s.Plan.Goal, c.Goal}, {&s.Plan.Length, c.Length}, {&s.Plan.StartsAt, c.StartsAt},
		{&s.Plan.EndsAt, c.EndsAt}, {&s.Plan.OverdueAfter, c.OverdueAfter}, {&s.Plan.Notes, c.Notes},
		{&s.Actual.StartedAt, c.StartedAt}, {&s.Actual.ClosedAt, c.ClosedAt},
	} {
		if set.text != nil {
			*set.to = *set.text
		}
	}
	if c.CapacityPoints != nil {
		s.Plan.Capacity.Points = *c.CapacityPoints
	}
	if c.CapacityHours != nil {
		s.Plan.Capacity.Hours = *c.CapacityHours
	}
	if c.Order != nil {
		s.Order = *c.Order
	}
}

// write returns the document of old with the values of s.
func (s *Sprint) write(old *Sprint) (*markdown.Document, error) {
	var edits []markdown.Edit
	for _, part := range []struct {
		key    string
		values []value
	}{
		{"plan", s.planValues()},
		{"actual", []value{{"started_at", s.Actual.StartedAt}, {"closed_at", s.Actual.ClosedAt}}},
	} {
		edit, err := nestedEdit(old.doc, part.key, part.values)
		if err != nil {
			return nil, err
		}
		edits = append(edits, edit...)
	}
	if !slices.Equal(s.Order, old.Order) {
		if len(s.Order) == 0 {
			edits = append(edits, markdown.Unset("order"))
		} else {
			edits = append(edits, markdown.Set("order", s.Order))
		}
	}
	doc, err := old.doc.Apply(edits...)
	if err != nil {
		return nil, err
	}
	if s.Plan.Notes != old.Plan.Notes {
		doc = doc.WithBody(notesBody(s.Plan.Notes))
	}
	return doc, nil
}

// equal reports whether two sprints have the same values.
func (s *Sprint) equal(other *Sprint) bool {
	return s.Plan == other.Plan && s.Actual == other.Actual && slices.Equal(s.Order, other.Order)
}

func notesBody(notes string) []byte {
	if notes == "" {
		return nil
	}
	return []byte("\n" + notes + "\n")
}

func (s *Sprint) planValues() []value {
	p := s.Plan
	return []value{
		{"label", p.Label}, {"goal", p.Goal}, {"length", p.Length}, {"starts_at", p.StartsAt}, {"ends_at", p.EndsAt},
		{"capacity", []value{{"points", p.Capacity.Points}, {"hours", p.Capacity.Hours}}}, {"overdue_after", p.OverdueAfter},
	}
}
