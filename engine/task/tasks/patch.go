package tasks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chant/engine/spec/task"
)

// Patch is a change of a task. A member that is nil stays as it is; an empty one clears the field.
type Patch struct {
	Title         *string             `json:"title,omitempty" jsonschema:"New title"`
	Description   *string             `json:"description,omitempty" jsonschema:"New description; the acceptance criteria stay"`
	Status        *string             `json:"status,omitempty" jsonschema:"New status"`
	Priority      *string             `json:"priority,omitempty" jsonschema:"New priority"`
	Type          *string             `json:"type,omitempty" jsonschema:"New type"`
	Reporter      *string             `json:"reporter,omitempty" jsonschema:"Who asked for it, @me for the caller"`
	Assignee      *string             `json:"assignee,omitempty" jsonschema:"Who works on it, @me for the caller"`
	DueDate       *string             `json:"due_date,omitempty" jsonschema:"Day or time, such as 2026-12-01 or +3d"`
	Effort        *string             `json:"effort,omitempty" jsonschema:"Hours or points, such as 4h, 1d 2h or 3pt"`
	Subtitle      *string             `json:"subtitle,omitempty" jsonschema:"Second line of the title"`
	Tags          *[]string           `json:"tags,omitempty" jsonschema:"All tags"`
	Relationships *task.Relationships `json:"relationships,omitempty" jsonschema:"All relationships"`
	CustomFields  *map[string]any     `json:"custom_fields,omitempty" jsonschema:"All custom fields"`
	Sprints       *[]int              `json:"sprints,omitempty" jsonschema:"All sprints"`
}

// UnmarshalJSON reads a patch as clients of lotar send it: null clears a field, numbers may be texts, and unknown
// members are ignored. Errors: *task.Fault.
func (p *Patch) UnmarshalJSON(raw []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return task.Invalid("Invalid patch (expected object)")
	}
	if kind, both := members["task_type"]; both && members["type"] == nil {
		members["type"] = kind
	}
	texts := []struct {
		name     string
		into     **string
		required bool
	}{
		{"title", &p.Title, true}, {"description", &p.Description, false}, {"status", &p.Status, true}, {"priority", &p.Priority, true},
		{"type", &p.Type, true}, {"reporter", &p.Reporter, false}, {"assignee", &p.Assignee, false}, {"due_date", &p.DueDate, false},
		{"effort", &p.Effort, false}, {"subtitle", &p.Subtitle, false},
	}
	for _, f := range texts {
		value, given := members[f.name]
		if !given {
			continue
		}
		text, err := readText(f.name, value)
		if err != nil {
			return err
		}
		// A spec always has these, so they cannot be cleared.
		if f.required && strings.TrimSpace(text) == "" {
			return task.Invalid(fmt.Sprintf("%s cannot be empty", f.name))
		}
		*f.into = &text
	}
	return p.readLists(members)
}

// readLists reads the members that are lists or objects.
func (p *Patch) readLists(members map[string]json.RawMessage) error {
	if value, given := members["tags"]; given {
		tags, err := ReadTexts("tags", value)
		if err != nil {
			return err
		}
		p.Tags = &tags
	}
	if value, given := members["sprints"]; given {
		sprints, err := ReadNumbers("sprints", value)
		if err != nil {
			return err
		}
		p.Sprints = &sprints
	}
	if value, given := members["relationships"]; given {
		r, err := ReadRelationships(value)
		if err != nil {
			return err
		}
		p.Relationships = &r
	}
	if value, given := members["custom_fields"]; given {
		fields := map[string]any{}
		if err := decodeNumbers(value, &fields); err != nil && !IsNull(value) {
			return task.Invalid("custom_fields must be an object")
		}
		// null decodes to a nil map, and clears the fields.
		if fields == nil {
			fields = map[string]any{}
		}
		p.CustomFields = &fields
	}
	return nil
}

// IsNull reports whether a member of a JSON object is null.
func IsNull(value json.RawMessage) bool { return string(bytes.TrimSpace(value)) == "null" }

// decodeNumbers decodes JSON and keeps numbers as they are written.
func decodeNumbers(value json.RawMessage, into any) error {
	dec := json.NewDecoder(bytes.NewReader(value))
	// A float64 would change large numbers.
	dec.UseNumber()
	return dec.Decode(into)
}

// readText reads a text; a number is its text, and null is empty.
func readText(name string, value json.RawMessage) (string, error) {
	var any any
	if err := decodeNumbers(value, &any); err != nil {
		return "", task.Invalid(fmt.Sprintf("%s must be a string", name))
	}
	switch v := any.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	}
	return "", task.Invalid(fmt.Sprintf("%s must be a string", name))
}

// ReadTexts reads a text with commas or a list of texts; null is an empty list.
func ReadTexts(name string, value json.RawMessage) ([]string, error) {
	out := []string{}
	if IsNull(value) {
		return out, nil
	}
	var items []json.RawMessage
	if json.Unmarshal(value, &items) != nil {
		text, err := readText(name, value)
		if err != nil {
			return nil, task.Invalid(fmt.Sprintf("%s must be a string or array of strings", name))
		}
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
		return out, nil
	}
	for _, item := range items {
		text, err := readText(name, item)
		if err != nil {
			return nil, task.Invalid(fmt.Sprintf("%s must be a string or array of strings", name))
		}
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
	}
	return out, nil
}

// ReadNumbers reads a sprint number or a list of them: 3, "3", "#3". Error: *task.Fault for anything else.
func ReadNumbers(name string, value json.RawMessage) ([]int, error) {
	texts, err := ReadTexts(name, value)
	if err != nil {
		return nil, task.Invalid(fmt.Sprintf("%s must be positive integers", name))
	}
	out := []int{}
	for _, text := range texts {
		n, err := strconv.Atoi(strings.TrimPrefix(text, "#"))
		if err != nil || n < 1 {
			return nil, task.Invalid(fmt.Sprintf("%s must be positive integers, not %q", name, text))
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, nil
}

// ReadRelationships reads relationships; null is none.
func ReadRelationships(value json.RawMessage) (task.Relationships, error) {
	var r task.Relationships
	if IsNull(value) {
		return r, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(value, &members); err != nil {
		return r, task.Invalid("Invalid relationships payload: expected an object")
	}
	for name, into := range map[string]*[]string{"depends_on": &r.DependsOn, "blocks": &r.Blocks, "related": &r.Related, "children": &r.Children, "fixes": &r.Fixes} {
		raw, given := members[name]
		if !given {
			continue
		}
		texts, err := ReadTexts(name, raw)
		if err != nil {
			return r, task.Invalid("Invalid relationships payload: " + name + " must be a list of ids")
		}
		*into = texts
	}
	for name, into := range map[string]*string{"parent": &r.Parent, "duplicate_of": &r.DuplicateOf} {
		raw, given := members[name]
		if !given {
			continue
		}
		text, err := readText(name, raw)
		if err != nil {
			return r, task.Invalid("Invalid relationships payload: " + name + " must be an id")
		}
		*into = strings.TrimSpace(text)
	}
	return r, nil
}
