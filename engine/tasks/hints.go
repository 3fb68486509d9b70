package tasks

import (
	"errors"
	"slices"
	"strings"

	"chant/engine/task"
)

// createFault makes the refusal of a person the fault that clients of lotar expect of a new task.
func createFault(err error) error {
	return fail(memberFault(err, task.CreateFailed, "Task create failed"), "")
}

func memberFault(err error, code int, text string) error {
	if bad, ok := errors.AsType[*task.MemberError](err); ok {
		return &task.Fault{Code: code, Message: text, Data: map[string]any{"message": bad.Error()}}
	}
	return err
}

// EnumHints lists the values that the settings know, by lotar's names of the lists. project is the project of the call,
// "" for none. Lists without a value are left out.
func (b Board) EnumHints(project string) map[string][]string {
	st := b.Settings
	out := map[string][]string{}
	add := func(name string, values []string) {
		var kept []string
		for _, value := range values {
			value = strings.TrimSpace(value)
			known := slices.ContainsFunc(kept, func(have string) bool { return strings.EqualFold(have, value) })
			if value != "" && value != "*" && !known {
				kept = append(kept, value)
			}
		}
		if len(kept) > 0 {
			out[name] = kept
		}
	}
	if project != "" {
		add("projects", []string{project})
	}
	add("statuses", st.Statuses)
	add("priorities", st.Priorities)
	add("types", st.TypesToChoose())
	add("members", st.Members)
	add("tags", st.Tags)
	add("custom_fields", st.CustomFields)
	if len(out) == 0 {
		return nil
	}
	return out
}
