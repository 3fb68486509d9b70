package sprints

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/spec/sprint"
	"chant/engine/task/tasks"
)

// UpdateInput changes the plan of a sprint, or when it was started and closed. What is not given stays; "" and null
// remove a value.
type UpdateInput struct {
	Pick
	sprint.Change
}

// UpdateResult is a changed sprint.
type UpdateResult struct {
	Status   string           `json:"status"`
	Sprint   sprint.Item      `json:"sprint"`
	Warnings []sprint.Warning `json:"warnings,omitempty"`
}

// UnmarshalJSON reads what clients send: null removes a value, numbers may be written as texts, and unknown members are
// ignored. Error: Usage for a value of another type.
func (in *UpdateInput) UnmarshalJSON(src []byte) error {
	var sent map[string]json.RawMessage
	if err := json.Unmarshal(src, &sent); err != nil {
		return refuse("Invalid params: %s", err)
	}
	for name, to := range map[string]*sprint.Ref{"sprint_id": &in.SprintID, "sprint": &in.Sprint, "id": &in.ID} {
		if raw, ok := sent[name]; ok {
			if err := to.UnmarshalJSON(raw); err != nil {
				return err
			}
		}
	}
	for name, to := range map[string]**string{
		"label": &in.Label, "goal": &in.Goal, "plan_length": &in.Length, "starts_at": &in.StartsAt, "ends_at": &in.EndsAt,
		"overdue_after": &in.OverdueAfter, "notes": &in.Notes, "actual_started_at": &in.StartedAt, "actual_closed_at": &in.ClosedAt,
	} {
		if raw, ok := sent[name]; ok {
			text := ""
			// A text that is there and empty removes the value, as null does.
			if !tasks.IsNull(raw) && json.Unmarshal(raw, &text) != nil {
				return refuseWith(map[string]any{"field": name}, "Invalid params: %s must be a string or null", name)
			}
			*to = &text
		}
	}
	for name, to := range map[string]**int{"capacity_points": &in.CapacityPoints, "capacity_hours": &in.CapacityHours} {
		if raw, ok := sent[name]; ok {
			n := 0
			if !tasks.IsNull(raw) && json.Unmarshal([]byte(strings.Trim(string(raw), `" `)), &n) != nil {
				return refuseWith(map[string]any{"field": name}, "Invalid params: %s must be a whole number or null", name)
			}
			*to = &n
		}
	}
	return nil
}

// Update changes a sprint in one commit. Errors: Usage, NotFound, Invalid.
func Update(ctx context.Context, p *engine.Project, in UpdateInput) (UpdateResult, error) {
	return changeSprint(ctx, p, in.Pick, "update", func(*sprint.Sprint) (sprint.Change, error) { return in.Change, nil })
}

const updateFailed = "Failed to update sprint"

// changeSprint makes a change of one sprint.
func changeSprint(
	ctx context.Context, p *engine.Project, in Pick, verb string, decide func(*sprint.Sprint) (sprint.Change, error),
) (UpdateResult, error) {
	out := UpdateResult{Status: ok}
	err := withSprintLock(ctx, p, verb+" a sprint", func() error {
		f, err := read(p)
		if err != nil {
			return err
		}
		s, err := f.pick(in)
		if err != nil {
			return err
		}
		// Decided under the lock, by the version that is edited.
		c, err := decide(s)
		if err == nil {
			err = checkChange(c)
		}
		if err != nil {
			return err
		}
		next, warnings, err := s.Edit(p.Now(), c)
		if err != nil {
			return err
		}
		out.Sprint, out.Warnings = next.Item(p.Now()), append(warnings, f.parallelWarnings(s, next, p.Now())...)
		// Edit returns the sprint itself where nothing changes, and no empty commit is made.
		if next == s {
			return nil
		}
		return edited(s, next, verb).commit(ctx, p)
	})
	if err != nil {
		return UpdateResult{}, operationFault(err, updateFailed)
	}
	return out, nil
}

// parallelWarnings warns if a change has started a sprint while others are active.
func (f files) parallelWarnings(before, after *sprint.Sprint, now time.Time) []sprint.Warning {
	// Only a change that starts the sprint warns, so that later edits of it do not repeat that.
	if before.Actual.StartedAt != "" || after.Actual.StartedAt == "" || after.Actual.ClosedAt != "" {
		return nil
	}
	var others []string
	for _, s := range f.sprints {
		if s.ID != after.ID && s.Actual.StartedAt != "" && s.State(now) != sprint.Complete {
			others = append(others, sprintName(s))
		}
	}
	if len(others) == 0 {
		return nil
	}
	return []sprint.Warning{{Code: sprint.ParallelActive, Message: "active at the same time: " + strings.Join(others, ", ")}}
}
