package taskboard

import (
	"slices"
	"strings"

	"chant/engine/spec/task"
)

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
			// The star means any value, so it cannot be chosen.
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

// NewPrefix returns the prefix for a task of a project: that of a known project with this name or prefix, else a new one.
func (b Board) NewPrefix(project string) (string, error) {
	if project == "" {
		return b.Settings.DefaultProject, nil
	}
	for _, known := range b.Settings.Projects {
		if strings.EqualFold(known.Prefix, project) || strings.EqualFold(known.Name, project) {
			return known.Prefix, nil
		}
	}
	if err := task.CheckPrefix(project); err != nil {
		return "", InvalidField("project", project, err)
	}
	// A prefix whose keys cannot be read would hide its tasks.
	if _, _, ok := task.ParseKey(project + "-1"); !ok {
		return "", InvalidField("project", project, task.CheckPrefix(""))
	}
	return project, nil
}

// InvalidField is the fault of a value that cannot be read.
func InvalidField(field, provided string, err error) error {
	return &task.Fault{Code: task.InvalidParams, Message: err.Error(), Data: map[string]any{
		"field": field, "code": "invalid_value", "provided": provided, "details": err.Error(),
	}}
}
