package sprint

import "time"

// Item is a sprint as lists show it.
type Item struct {
	ID             int       `json:"id"`
	Label          string    `json:"label,omitempty"`
	DisplayName    string    `json:"display_name"`
	Created        string    `json:"created,omitempty"`
	Modified       string    `json:"modified,omitempty"`
	State          State     `json:"state"`
	PlannedStart   string    `json:"planned_start,omitempty"`
	PlannedEnd     string    `json:"planned_end,omitempty"`
	ActualStart    string    `json:"actual_start,omitempty"`
	ActualEnd      string    `json:"actual_end,omitempty"`
	ComputedEnd    string    `json:"computed_end,omitempty"`
	Goal           string    `json:"goal,omitempty"`
	PlanLength     string    `json:"plan_length,omitempty"`
	OverdueAfter   string    `json:"overdue_after,omitempty"`
	Notes          string    `json:"notes,omitempty"`
	CapacityPoints int       `json:"capacity_points,omitempty"`
	CapacityHours  int       `json:"capacity_hours,omitempty"`
	Warnings       []Warning `json:"warnings,omitempty"`
}

// Item returns the sprint as lists show it.
func (s *Sprint) Item(now time.Time) Item {
	d, warnings := s.Dates()
	l := d.lifecycle(now)
	return Item{
		ID: s.ID, Label: s.Plan.Label, DisplayName: s.Name(), Created: s.Created, Modified: s.Modified, State: l.State,
		PlannedStart: l.PlannedStart, PlannedEnd: l.PlannedEnd, ActualStart: l.ActualStart, ActualEnd: l.ActualEnd,
		ComputedEnd: l.ComputedEnd, Goal: s.Plan.Goal, PlanLength: s.Plan.Length, OverdueAfter: s.Plan.OverdueAfter,
		Notes: s.Plan.Notes, CapacityPoints: s.Plan.Capacity.Points, CapacityHours: s.Plan.Capacity.Hours, Warnings: warnings,
	}
}

// Brief is a sprint as a velocity names it.
type Brief struct {
	ID          int    `json:"id"`
	Label       string `json:"label,omitempty"`
	Status      State  `json:"status"`
	Goal        string `json:"goal,omitempty"`
	StartsAt    string `json:"starts_at,omitempty"`
	EndsAt      string `json:"ends_at,omitempty"`
	ComputedEnd string `json:"computed_end,omitempty"`
	HasWarnings bool   `json:"has_warnings,omitempty"`
}

// Detail is a sprint as reports show it.
type Detail struct {
	Brief
	StatusWarnings []Warning `json:"status_warnings,omitempty"`
	Sprint         *Sprint   `json:"sprint"`
}

// Detail returns the sprint as reports show it.
func (s *Sprint) Detail(now time.Time) Detail {
	brief, warnings := s.brief(now)
	return Detail{Brief: brief, StatusWarnings: warnings, Sprint: s}
}

func (s *Sprint) brief(now time.Time) (Brief, []Warning) {
	d, warnings := s.Dates()
	return Brief{
		ID: s.ID, Label: s.Plan.Label, Status: d.State(now), Goal: s.Plan.Goal, StartsAt: s.Plan.StartsAt, EndsAt: s.Plan.EndsAt,
		ComputedEnd: stamp(d.ComputedEnd), HasWarnings: len(warnings) > 0,
	}, warnings
}
