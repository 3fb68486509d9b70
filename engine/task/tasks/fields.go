package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/engine/task/taskboard"
	"chant/markdown"
)

// fields turns values of a patch into edits of front matter. s is the spec that gets them; of a new one, its zero value.
type fields struct {
	p     *engine.Project
	board taskboard.Board
	s     *spec.Spec
	exact bool // an effort that cannot be read is refused, not kept as it is

	edits []markdown.Edit
}

// set adds an edit that sets a text, or removes the key for an empty one.
func (f *fields) set(key, value string) {
	if value == "" {
		f.edits = append(f.edits, markdown.Unset(key))
		return
	}
	f.edits = append(f.edits, markdown.Set(key, value))
}

// addTexts adds the edits of values that are texts.
func (f *fields) addTexts(ctx context.Context, patch Patch) error {
	for _, one := range []struct {
		key   string
		value *string
	}{{"assignee", patch.Assignee}, {"reporter", patch.Reporter}} {
		if one.value == nil {
			continue
		}
		name, err := f.person(ctx, one.key, *one.value)
		if err != nil {
			return err
		}
		f.set(one.key, name)
	}
	if patch.Subtitle != nil {
		f.set("subtitle", spec.OneLine(*patch.Subtitle))
	}
	if patch.Effort != nil {
		effort, err := f.effort(*patch.Effort)
		if err != nil {
			return err
		}
		f.set("effort", effort)
	}
	if patch.DueDate != nil {
		due := strings.TrimSpace(*patch.DueDate)
		if due != "" {
			var err error
			if due, err = task.ParseDue(due, f.p.Now()); err != nil {
				return taskboard.InvalidField("due_date", *patch.DueDate, err)
			}
		}
		f.set("due_date", due)
	}
	return f.addEnums(patch)
}

func (f *fields) effort(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", nil
	}
	effort, err := task.ParseEffort(text)
	if err == nil {
		return effort.String(), nil
	}
	// lotar keeps an effort that it cannot read, which its clients expect; a negative one is a mistake.
	if f.exact || strings.HasPrefix(text, "-") {
		return "", taskboard.InvalidField("effort", text, err)
	}
	return spec.OneLine(text), nil
}

// person returns the name of a person as it is stored. "@me" is the caller, or nothing if it is unknown who calls.
func (f *fields) person(ctx context.Context, role, value string) (string, error) {
	name := task.NormalizeMember(value)
	if name == task.Me {
		me, err := taskboard.WhoIs(ctx, f.p, f.board)
		if err != nil {
			return "", err
		}
		name = me.User
	}
	if err := f.board.Settings.CheckMember(role, name); err != nil {
		return "", err
	}
	return spec.OneLine(name), nil
}

// addEnums adds the edits of priority and type.
func (f *fields) addEnums(patch Patch) error {
	st := f.board.Settings
	if patch.Priority != nil {
		word, ok := task.MatchEnum(*patch.Priority, st.Priorities)
		if !ok {
			return (&task.EnumError{Field: "priority", Provided: *patch.Priority, Allowed: st.Priorities}).Fault()
		}
		f.set("priority", word)
	}
	if patch.Type == nil {
		return nil
	}
	word, ok := task.MatchEnum(*patch.Type, st.TypesToChoose())
	if !ok {
		return (&task.EnumError{Field: "type", Provided: *patch.Type, Allowed: st.TypesToChoose()}).Fault()
	}
	// A word that is a type of specs is stored as such, and others beside it.
	if slices.Contains(spec.Types(), spec.Type(word)) {
		f.set("type", word)
		f.set("task_type", "")
		return nil
	}
	f.set("task_type", word)
	return nil
}

// addLists adds the edits of tags, sprints and custom fields.
func (f *fields) addLists(patch Patch) error {
	if patch.Tags != nil {
		tags, err := f.tags(*patch.Tags)
		if err != nil {
			return err
		}
		f.edits = append(f.edits, listEdit("labels", tags))
	}
	if patch.Sprints != nil {
		if err := checkSprints(f.p, *patch.Sprints); err != nil {
			return err
		}
		sprints := slices.Clone(*patch.Sprints)
		slices.Sort(sprints)
		f.edits = append(f.edits, listEdit("sprints", slices.Compact(sprints)))
	}
	if patch.CustomFields == nil {
		return nil
	}
	for name := range *patch.CustomFields {
		if err := f.checkCustomName(name); err != nil {
			return err
		}
	}
	if len(*patch.CustomFields) == 0 {
		f.edits = append(f.edits, markdown.Unset("custom_fields"))
		return nil
	}
	f.edits = append(f.edits, markdown.Set("custom_fields", plainNumbers(*patch.CustomFields)))
	return nil
}

func listEdit[T any](key string, items []T) markdown.Edit {
	if len(items) == 0 {
		return markdown.Unset(key)
	}
	return markdown.Set(key, items)
}

func (f *fields) tags(tags []string) ([]string, error) {
	var out []string
	for _, tag := range tags {
		if tag = spec.OneLine(tag); tag == "" {
			continue
		}
		word, ok := task.MatchEnum(tag, f.board.Settings.Tags)
		if !ok {
			return nil, (&task.EnumError{Field: "tag", Provided: tag, Allowed: f.board.Settings.Tags}).Fault()
		}
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out, nil
}

func (f *fields) checkCustomName(name string) error {
	if strings.TrimSpace(name) == "" {
		return taskboard.InvalidField("custom_fields", name, errors.New("a custom field has no name"))
	}
	if slices.Contains(task.ReservedFields(), strings.ToLower(name)) {
		return taskboard.InvalidField("custom_fields", name, fmt.Errorf("custom field %q has the name of a field that every task has", name))
	}
	if _, ok := task.MatchEnum(name, f.board.Settings.CustomFields); !ok {
		return (&task.EnumError{Field: "custom_fields", Provided: name, Allowed: f.board.Settings.CustomFields}).Fault()
	}
	return nil
}

// statusFor returns the status that a word means, and the edit that keeps the word if the status has several.
func (f *fields) statusFor(word string) (spec.Status, markdown.Edit, error) {
	st := f.board.Settings
	to, canonical, ok := st.StatusOf(word)
	if !ok {
		return "", markdown.Edit{}, (&task.EnumError{Field: "status", Provided: word, Allowed: st.Statuses}).Fault()
	}
	// The word follows from the status unless several words mean the same one.
	if st.WordOf(to, "") == canonical {
		return to, markdown.Unset("task_status"), nil
	}
	return to, markdown.Set("task_status", canonical), nil
}

// relationshipEdits returns the edits of relationships, whose ids have been resolved.
func relationshipEdits(r task.Relationships) []markdown.Edit {
	stored := taskfields.Relationships{
		Blocks: r.Blocks, Related: r.Related, Parent: r.Parent, Children: r.Children, Fixes: r.Fixes, DuplicateOf: r.DuplicateOf,
	}
	edits := []markdown.Edit{listEdit("depends_on", r.DependsOn)}
	if stored.IsZero() {
		return append(edits, markdown.Unset("relationships"))
	}
	return append(edits, markdown.Set("relationships", stored))
}
