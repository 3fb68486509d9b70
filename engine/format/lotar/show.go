package lotar

import (
	"maps"
	"slices"
	"strings"

	"chant/engine/spec/task"
)

// Show returns the settings of a project, or of the directory alone, in the form of config_show. Secrets are left out.
func (w Workspace) Show(project string, global bool, repoName string) (map[string]any, error) {
	st, err := w.Settings(project, repoName, w.environ)
	if err != nil {
		return nil, err
	}
	if global {
		above, err := w.commonLayers(w.environ)
		if err != nil {
			return nil, err
		}
		all := task.Defaults(st.Workspace)
		if err := above.resolve(&all); err != nil {
			return nil, err
		}
		all.Workspace, all.DefaultProject, all.Projects = st.Workspace, st.DefaultProject, st.Projects
		st = all
	}
	return ShowSettings(&st), nil
}

// ShowSettings returns settings in the form of config_show.
func ShowSettings(st *task.Settings) map[string]any {
	out := map[string]any{
		"server_port": 8080, "default_project": st.DefaultProject,
		"issue_states": listOf(st.Statuses), "issue_types": listOf(st.Types), "issue_priorities": listOf(st.Priorities),
		"tags": listOf(st.Tags), "custom_fields": listOf(st.CustomFields),
		"default_assignee": orNil(st.DefaultAssignee), "default_reporter": orNil(st.DefaultReporter),
		"default_tags": append([]string{}, st.DefaultTags...), "default_priority": st.DefaultPriority,
		"default_status": orNil(st.DefaultStatus), "members": append([]string{}, st.Members...), "strict_members": st.StrictMembers,
		"sprint_defaults": map[string]any{
			"capacity_points": st.Sprint.CapacityPoints, "capacity_hours": st.Sprint.CapacityHours,
			"length": orNil(st.Sprint.Length), "overdue_after": orNil(st.Sprint.OverdueAfter),
		},
		"sprint_notifications":  map[string]any{"enabled": st.Sprint.NotificationsEnabled},
		"branch_type_aliases":   aliasesOf(st.BranchTypes),
		"branch_status_aliases": aliasesOf(st.BranchStatuses), "branch_priority_aliases": aliasesOf(st.BranchPriorities),
		"scan_signal_words": []string{"TODO", "FIXME", "HACK", "BUG", "NOTE"}, "scan_ticket_patterns": nil,
		"scan_enable_ticket_words": true, "scan_enable_mentions": true, "scan_strip_attributes": true,
		"attachments_dir": "@attachments", "attachments_max_upload_mb": 10, "remotes": map[string]any{},
	}
	for _, s := range settings() {
		if strings.HasPrefix(s.name, "auto_") {
			out[s.name] = *s.into(st).(*bool)
		}
	}
	for name, value := range st.Raw {
		// Agents read what this shows.
		if !secretKey(name) {
			out[name] = withoutSecrets(value)
		}
	}
	return out
}

func listOf(items []string) map[string]any {
	return map[string]any{"values": append([]string{}, items...)}
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func aliasesOf(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// withoutSecrets returns a value without the keys that lead to secrets.
func withoutSecrets(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if !secretKey(key) {
				out[key] = withoutSecrets(v[key])
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = withoutSecrets(item)
		}
		return out
	}
	return value
}

func secretKey(key string) bool {
	key = strings.ToLower(key)
	return slices.ContainsFunc([]string{"env", "token", "password", "secret", "api_key"}, func(end string) bool {
		return key == end || strings.HasSuffix(key, "_"+end)
	})
}
