package exchange

import (
	"fmt"

	"chant/engine/format/lotar"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"

	"go.yaml.in/yaml/v3"
)

// exportTask returns a spec as a task of lotar. keys are the numbers of tasks by the ids of their specs. Errors:
// *markdown.SyntaxError for comments, references or a history of another shape.
func exportTask(s *spec.File, st *task.Settings, keys map[string]string) (*lotar.Task, error) {
	shown, err := task.FromSpec(s, st, task.Extra{})
	if err != nil {
		return nil, err
	}
	notes, err := taskfields.ReadNotes(s.Doc)
	if err != nil {
		return nil, err
	}
	t := &lotar.Task{
		Title: shown.Title, Status: shown.Status, Priority: shown.Priority, Type: shown.TaskType, Reporter: shown.Reporter,
		Assignee: shown.Assignee, Created: string(s.Fields.Created), DueDate: shown.DueDate, Effort: shown.Effort, Subtitle: shown.Subtitle,
		Description: shown.Description, Criteria: shown.Criteria, Tags: shown.Tags,
		Comments: notes.Comments, References: notes.References, History: notes.History,
	}
	named := func(ids []string) (out []string) {
		for _, id := range ids {
			if key := keys[id]; key != "" {
				out = append(out, key)
			}
		}
		return out
	}
	t.Relationships.DependsOn = named(s.Fields.DependsOn)
	if r := s.Fields.Relationships; r != nil {
		t.Relationships.Related, t.Relationships.Parent = named(r.Related), keys[r.Parent]
		t.Relationships.Children, t.Relationships.Fixes = named(r.Children), named(r.Fixes)
		t.Relationships.DuplicateOf = keys[r.DuplicateOf]
	}
	var fields yaml.Node
	if found, err := s.Doc.Get("custom_fields", &fields); err == nil && found && fields.Kind == yaml.MappingNode && len(fields.Content) > 0 {
		t.CustomFields = plainNode(&fields, 0)
	}
	return t, nil
}

// taskDigests says on what keys of lotar's file depend that a spec has in another form.
func taskDigests(s *spec.File) map[string]string {
	// The time of the last change depends on the whole text, and the older list of sprints on the sprints.
	return map[string]string{"modified": textDigest(s.Doc), "sprints": fmt.Sprint(s.Fields.Sprints)}
}
