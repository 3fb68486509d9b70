package sprints

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/spec/sprint"
	"chant/engine/task/taskboard"
)

// CreateInput is the plan of a new sprint.
type CreateInput struct {
	Label          string `json:"label,omitempty" jsonschema:"Short name"`
	Goal           string `json:"goal,omitempty" jsonschema:"What the sprint is for"`
	PlanLength     string `json:"plan_length,omitempty" jsonschema:"Length: 10d, 2w or \"2 weeks\""`
	StartsAt       string `json:"starts_at,omitempty" jsonschema:"Planned start: 2026-12-01 or RFC 3339"`
	EndsAt         string `json:"ends_at,omitempty" jsonschema:"Planned end; it replaces plan_length"`
	CapacityPoints *int   `json:"capacity_points,omitempty" jsonschema:"Capacity in points"`
	CapacityHours  *int   `json:"capacity_hours,omitempty" jsonschema:"Capacity in hours"`
	OverdueAfter   string `json:"overdue_after,omitempty" jsonschema:"How long after its end the sprint counts as overdue, for reports"`
	Notes          string `json:"notes,omitempty" jsonschema:"Notes in Markdown"`
	SkipDefaults   bool   `json:"skip_defaults,omitempty" jsonschema:"Do not apply the sprint defaults of the settings"`
}

// CreateResult is a new sprint.
type CreateResult struct {
	Status          string           `json:"status"`
	Sprint          sprint.Item      `json:"sprint"`
	Warnings        []sprint.Warning `json:"warnings,omitempty"`
	AppliedDefaults []string         `json:"applied_defaults,omitempty"`
}

// Create creates a sprint in one commit. What the plan does not give comes from the settings. Errors: Invalid for texts
// that no file can contain.
func Create(ctx context.Context, p *engine.Project, in CreateInput) (CreateResult, error) {
	change := sprint.Change{
		Label: &in.Label, Goal: &in.Goal, Length: &in.PlanLength, StartsAt: &in.StartsAt, EndsAt: &in.EndsAt,
		OverdueAfter: &in.OverdueAfter, Notes: &in.Notes, CapacityPoints: in.CapacityPoints, CapacityHours: in.CapacityHours,
	}
	if err := checkChange(change); err != nil {
		return CreateResult{}, err
	}
	out := CreateResult{Status: ok}
	var err error
	if !in.SkipDefaults {
		if out.AppliedDefaults, err = applyDefaults(ctx, p, &change); err != nil {
			return CreateResult{}, operationFault(err, createFailed)
		}
	}
	err = withSprintLock(ctx, p, "create a sprint", func() error {
		f, err := read(p)
		if err != nil {
			return err
		}
		id, err := nextID(ctx, p, f)
		if err != nil {
			return err
		}
		s, warnings, err := sprint.New(id, path(id), p.Now(), change)
		if err != nil {
			return err
		}
		// Before the commit: a number that is lost does no harm, while one that is given twice would join two sprints.
		if err := useID(p, id); err != nil {
			return err
		}
		out.Sprint, out.Warnings = s.Item(p.Now()), warnings
		return edit{subject: fmt.Sprintf("create sprint #%d", id), files: []fileEdit{{id: id, next: s.Bytes()}}}.commit(ctx, p)
	})
	if err != nil {
		return CreateResult{}, operationFault(err, createFailed)
	}
	return out, nil
}

const createFailed = "Failed to create sprint"

// applyDefaults fills in what a plan does not give, and returns the names of what it has filled in.
func applyDefaults(ctx context.Context, p *engine.Project, c *sprint.Change) (applied []string, err error) {
	board, err := taskboard.Open(ctx, p, "")
	if err != nil {
		return nil, err
	}
	preset := board.Settings.Sprint
	number := func(name string, to **int, value *int) {
		if *to == nil && value != nil && *value > 0 {
			*to, applied = value, append(applied, name)
		}
	}
	text := func(name string, to **string, value string) {
		if **to == "" && value != "" {
			*to, applied = &value, append(applied, name)
		}
	}
	number("capacity_points", &c.CapacityPoints, preset.CapacityPoints)
	number("capacity_hours", &c.CapacityHours, preset.CapacityHours)
	// A length is not needed where there is an end.
	if *c.EndsAt == "" {
		text("length", &c.Length, preset.Length)
	}
	text("overdue_after", &c.OverdueAfter, preset.OverdueAfter)
	return applied, nil
}

// checkChange refuses texts that no file can contain, and capacities below 0.
func checkChange(c sprint.Change) error {
	for _, t := range []struct {
		name string
		text *string
	}{
		{"label", c.Label}, {"goal", c.Goal}, {"plan_length", c.Length}, {"starts_at", c.StartsAt}, {"ends_at", c.EndsAt},
		{"overdue_after", c.OverdueAfter}, {"notes", c.Notes}, {"actual_started_at", c.StartedAt}, {"actual_closed_at", c.ClosedAt},
	} {
		if t.text == nil {
			continue
		}
		if err := engine.PlainText(t.name, *t.text); err != nil {
			return refuse("Invalid params: %s", err)
		}
	}
	for _, n := range []struct {
		name   string
		number *int
	}{{"capacity_points", c.CapacityPoints}, {"capacity_hours", c.CapacityHours}} {
		if n.number != nil && *n.number < 0 {
			return refuseWith(map[string]any{"field": n.name, "provided": *n.number}, "Invalid params: %s must not be negative", n.name)
		}
	}
	return nil
}
