package task

import (
	"slices"

	"chant/engine/spec"
	"chant/engine/spec/taskfields"
)

// Changes returns changes of the front matter with the names and words of tasks. A status and the word for it are two
// keys of a spec, and one field of a task.
func (s *Settings) Changes(changes []taskfields.FieldChange) []taskfields.FieldChange {
	byField := func(name string) int {
		return slices.IndexFunc(changes, func(c taskfields.FieldChange) bool { return c.Field == name })
	}
	var word taskfields.FieldChange
	if at := byField("task_status"); at >= 0 {
		word = changes[at]
	}
	out := make([]taskfields.FieldChange, 0, len(changes))
	for _, c := range changes {
		switch c.Field {
		case "status":
			c.Old, c.New = s.pastWord(c.Old, word.Old), s.pastWord(c.New, word.New)
		case "task_status":
			// The change of the status reports the word too.
			if byField("status") >= 0 {
				continue
			}
			// One of the two is usually empty.
			status, _, ok := s.StatusOf(c.Old + c.New)
			if c.Old != "" && c.New != "" {
				status, _, ok = s.StatusOf(c.New)
			}
			if c.Field = "status"; ok {
				c.Old, c.New = s.WordOf(status, c.Old), s.WordOf(status, c.New)
			}
		case "labels":
			c.Field = "tags"
		case "task_type":
			c.Field = "type"
		}
		// Two statuses of chant may have the same word.
		if c.Old != c.New {
			out = append(out, c)
		}
	}
	return out
}

// pastWord returns the word for a status that a spec had, "" for none.
func (s *Settings) pastWord(status, word string) string {
	if status == "" {
		return ""
	}
	return s.WordOf(spec.Status(status), word)
}
