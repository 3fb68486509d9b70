package sprints

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/sprint"
	"chant/engine/spec/task"
	"chant/engine/task/tasks"
)

// TaskList is several tasks by their ids: a list, or a text with commas.
type TaskList []string

// UnmarshalJSON reads a text or a list of texts. Error: Usage.
func (l *TaskList) UnmarshalJSON(src []byte) error {
	var text string
	var list []string
	switch {
	case tasks.IsNull(src):
		return nil
	case json.Unmarshal(src, &text) == nil:
		list = []string{text}
	case json.Unmarshal(src, &list) != nil:
		return refuseWith(map[string]any{"field": "tasks"}, "tasks must be a string or array of strings")
	}
	// The new list replaces one that is already there.
	*l = nil
	for _, entry := range list {
		for id := range strings.SplitSeq(entry, ",") {
			if id = strings.TrimSpace(id); id != "" {
				*l = append(*l, id)
			}
		}
	}
	return nil
}

// AddInput puts tasks into a sprint.
type AddInput struct {
	Pick
	Tasks          TaskList `json:"tasks" jsonschema:"Task ids: a list, or one text"`
	AllowClosed    bool     `json:"allow_closed,omitempty" jsonschema:"Allow a sprint that is closed"`
	ForceSingle    bool     `json:"force_single,omitempty" jsonschema:"Take the tasks out of all other sprints"`
	Force          bool     `json:"force,omitempty" jsonschema:"The same as force_single"`
	CleanupMissing bool     `json:"cleanup_missing,omitempty" jsonschema:"First take all tasks out of sprints that do not exist"`
}

// RemoveInput takes tasks out of a sprint.
type RemoveInput struct {
	Pick
	Tasks          TaskList `json:"tasks" jsonschema:"Task ids: a list, or one text"`
	CleanupMissing bool     `json:"cleanup_missing,omitempty" jsonschema:"First take all tasks out of sprints that do not exist"`
}

// AssignResult says which tasks were put into a sprint, or taken out of it.
type AssignResult struct {
	Status         string            `json:"status"`
	Action         string            `json:"action"`
	SprintID       int               `json:"sprint_id"`
	SprintLabel    *string           `json:"sprint_label"`
	Modified       []string          `json:"modified"`
	Unchanged      []string          `json:"unchanged"`
	Replaced       []Replaced        `json:"replaced,omitempty"`
	Messages       []string          `json:"messages,omitempty"`
	MissingSprints []int             `json:"missing_sprints"`
	Integrity      *sprint.Integrity `json:"integrity,omitempty"`
}

// Replaced is a task that was taken out of other sprints.
type Replaced struct {
	TaskID   string `json:"task_id"`
	Previous []int  `json:"previous"`
}

// Add puts tasks into a sprint, in one commit. Tasks may be in several sprints unless force_single is set. Errors:
// Usage for an unknown task, for a sprint that is closed, and if no sprint is named and not exactly one is active;
// NotFound for an unknown sprint. Nothing is written then.
func Add(ctx context.Context, p *engine.Project, in AddInput) (AssignResult, error) {
	force := in.ForceSingle || in.Force
	return assign(ctx, p, in.Pick, in.Tasks, in.CleanupMissing, "add", func(s *sprint.Sprint) error {
		if s.State(p.Now()) == sprint.Complete && !in.AllowClosed {
			return refuse("Sprint %s is closed. Set allow_closed to add tasks to it", sprintName(s))
		}
		return nil
	}, func(id int, have []int) []int {
		switch {
		case force:
			return []int{id}
		case slices.Contains(have, id):
			return have
		}
		return append(slices.Clone(have), id)
	})
}

// Remove takes tasks out of a sprint, in one commit. Errors: as of Add.
func Remove(ctx context.Context, p *engine.Project, in RemoveInput) (AssignResult, error) {
	return assign(ctx, p, in.Pick, in.Tasks, in.CleanupMissing, "remove", func(*sprint.Sprint) error { return nil }, func(id int, have []int) []int {
		return slices.DeleteFunc(slices.Clone(have), func(n int) bool { return n == id })
	})
}

func assign(
	ctx context.Context, p *engine.Project, in Pick, tasks TaskList, cleanup bool, action string,
	check func(*sprint.Sprint) error, decide func(id int, have []int) []int,
) (AssignResult, error) {
	out := AssignResult{Status: ok, Action: action, Modified: []string{}, Unchanged: []string{}}
	if len(tasks) == 0 {
		return out, refuseWith(map[string]any{"field": "tasks"}, "Missing required field: tasks")
	}
	err := withSprintLock(ctx, p, action+" tasks", func() error {
		f, err := read(p)
		if err != nil {
			return err
		}
		// Everything is checked before the first write.
		s, err := f.choose(in, p.Now())
		if err == nil {
			err = check(s)
		}
		if err != nil {
			return err
		}
		r, err := readRoster(ctx, p, p.Store.Load)
		if err != nil {
			return err
		}
		specs, err := r.find(ctx, p, tasks)
		if err != nil {
			return err
		}
		out.SprintID = s.ID
		if s.Plan.Label != "" {
			out.SprintLabel = &s.Plan.Label
		}
		e := edit{sprints: map[string][]int{}}
		if out.Integrity, e.sprints = sprint.Check(r.sprints(), f.exists, cleanup); e.sprints == nil {
			e.sprints = map[string][]int{}
		}
		out.MissingSprints = out.Integrity.Missing()
		out.recordChanges(s.ID, specs, e.sprints, decide)
		e.subject = fmt.Sprintf("%s %s %s sprint #%d", action, task.WithNoun(len(out.Modified), "task"), map[string]string{"add": "to", "remove": "from"}[action], s.ID)
		if len(e.sprints) == 0 {
			return nil
		}
		return e.commit(ctx, p)
	})
	if err != nil {
		return AssignResult{}, operationFault(err, internal)
	}
	return out, nil
}

// recordChanges decides for each spec, and adds its new sprints to changed.
func (out *AssignResult) recordChanges(id int, specs []*spec.Spec, changed map[string][]int, decide func(id int, have []int) []int) {
	for _, s := range specs {
		key, have := task.KeyOf(s), []int(s.Fields.Sprints)
		// The cleanup has changed the same list of sprints, and both changes are written at once.
		if kept, cleaned := changed[s.ID]; cleaned {
			have = kept
		}
		after := decide(id, have)
		if slices.Equal(have, after) {
			out.Unchanged = append(out.Unchanged, key)
			continue
		}
		changed[s.ID] = after
		out.Modified = append(out.Modified, key)
		previous := slices.DeleteFunc(slices.Clone(have), func(n int) bool { return n == id || slices.Contains(after, n) })
		if out.Action != "add" || len(previous) == 0 {
			continue
		}
		out.Replaced = append(out.Replaced, Replaced{key, previous})
		var names []string
		for _, n := range previous {
			names = append(names, "#"+itoa(n))
		}
		out.Messages = append(out.Messages, fmt.Sprintf("%s moved from sprint(s) %s", key, strings.Join(names, ", ")))
	}
}

// find returns the specs of tasks in the order of the call, each once. Errors: Usage for one that does not exist.
func (r *roster) find(ctx context.Context, p *engine.Project, tasks TaskList) ([]*spec.Spec, error) {
	var found []*spec.Spec
	for _, text := range tasks {
		id, err := engine.Find(ctx, p, r.board.KeyOf(text))
		if _, missing := errors.AsType[*spec.NotFoundError](err); missing {
			message := fmt.Sprintf("Task %s not found.", text)
			return nil, &engine.Error{Code: engine.NotFound, Message: message, Next: next.List.On(), Err: task.Invalid(message)}
		}
		if err != nil {
			return nil, engine.Wrap(err, text)
		}
		s := r.graph().Spec(id)
		if s == nil {
			return nil, refuse("Task %s cannot be read.", text)
		}
		// A task that is named twice would be reported twice.
		if !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	return found, nil
}
