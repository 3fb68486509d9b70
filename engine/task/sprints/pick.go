package sprints

import (
	"errors"
	"strings"
	"time"

	"chant/engine/spec/sprint"
)

// Pick names one sprint; sprint_id takes precedence.
type Pick struct {
	SprintID sprint.Ref `json:"sprint_id,omitempty" jsonschema:"Sprint id: 3 or #3"`
	Sprint   sprint.Ref `json:"sprint,omitempty" jsonschema:"Sprint id, or next, previous or active where tasks are added or removed"`
	ID       sprint.Ref `json:"id,omitempty" jsonschema:"Sprint id; the same as sprint_id"`
}

// ref returns the reference that counts, and the name of its parameter.
func (in Pick) ref() (ref sprint.Ref, name string) {
	switch {
	case in.SprintID != "":
		return in.SprintID, "sprint_id"
	case in.Sprint != "":
		return in.Sprint, "sprint"
	}
	return in.ID, "id"
}

// id returns the id of a sprint that has to be named by it.
func (in Pick) id() (int, error) {
	ref, name := in.ref()
	if ref == "" {
		return 0, refuse("Missing sprint id")
	}
	id, err := ref.ID()
	if err != nil {
		return 0, refuseWith(map[string]any{"field": name, "provided": string(ref)}, "%s %s", name, err)
	}
	return id, nil
}

// pick returns the sprint that has to be named by its id.
func (f files) pick(in Pick) (*sprint.Sprint, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	return f.get(id)
}

// choose returns the sprint that is named by its id or its place, or the only one that is active if none is named.
func (f files) choose(in Pick, now time.Time) (*sprint.Sprint, error) {
	ref, name := in.ref()
	word := ref.Word()
	// Words such as next are only known in the parameter sprint.
	if ref != "" && (word == "" || name != "sprint") {
		return f.pick(in)
	}
	if len(f.sprints) == 0 {
		return nil, refuse("No sprints found. Create one first")
	}
	active, err := f.active(now)
	if err != nil {
		return nil, err
	}
	if word == "" || word == sprint.ActiveWord {
		return active, nil
	}
	var found *sprint.Sprint
	for _, s := range f.sprints {
		// Sprints are in the order of their ids: the last before the active one, or the first after it.
		if word == sprint.PreviousWord && s.ID < active.ID || word == sprint.NextWord && s.ID > active.ID && found == nil {
			found = s
		}
	}
	if found == nil {
		return nil, refuse("No %s sprint found: the active one is #%d", word, active.ID)
	}
	return found, nil
}

// active returns the only sprint that is active or overdue.
func (f files) active(now time.Time) (*sprint.Sprint, error) {
	var found []*sprint.Sprint
	var names []string
	for _, s := range f.sprints {
		if state := s.State(now); state == sprint.Active || state == sprint.Overdue {
			found, names = append(found, s), append(names, sprintName(s))
		}
	}
	switch len(found) {
	case 0:
		return nil, unnamedError("No active sprint found. Name one by its number")
	case 1:
		return found[0], nil
	}
	return nil, unnamedError("Several sprints are active: %s. Name one by its number", strings.Join(names, ", "))
}

// ErrUnnamed is that no sprint was named where there is not one alone that could be meant.
var ErrUnnamed = errors.New("no sprint was named")

func unnamedError(format string, args ...any) error {
	e := refuse(format, args...)
	e.Err = errors.Join(e.Err, ErrUnnamed)
	return e
}

// sprintName is a sprint in messages: its id, and its label if it has one.
func sprintName(s *sprint.Sprint) string {
	text := "#" + itoa(s.ID)
	if s.Plan.Label != "" {
		text += " (" + s.Plan.Label + ")"
	}
	return text
}
