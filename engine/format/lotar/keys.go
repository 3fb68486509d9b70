package lotar

import (
	"slices"
	"strings"
	"sync"

	"chant/engine/spec/task"
)

// kind is the kind of value of a setting.
type kind int

const (
	text    kind = iota
	person       // a name
	prefix       // of a project
	port         // of the server
	flag         // true or false
	count        // a whole number from 0
	upload       // a whole number from -1
	length       // "2w" or "10d"
	words        // a list, each of at most 50 characters
	people       // a list, each of at most 100 characters
	filled       // a list of words that cannot be empty
	pattern      // a list of regular expressions
	aliases      // a mapping of words to words
	free         // anything
)

// setting is a key of config.yml.
type setting struct {
	name   string // the flat form, with which it is set and shown
	path   string // where a new one is written, with dots
	kind   kind
	global bool // only of the directory
	own    bool // only of a project

	into func(*task.Settings) any // a pointer to the field that has the value; nil for a key that only Raw has
}

// settings lists the keys that have a meaning.
var settings = sync.OnceValue(func() []setting {
	return []setting{
		{name: "server_port", path: "server.port", kind: port, global: true},
		{name: "default_project", path: "default.project", kind: prefix, global: true},
		{name: "project_name", path: "project.name", kind: text, own: true},
		{name: "default_assignee", path: "default.assignee", kind: person, into: func(st *task.Settings) any { return &st.DefaultAssignee }},
		{name: "default_reporter", path: "default.reporter", kind: person, into: func(st *task.Settings) any { return &st.DefaultReporter }},
		{name: "default_tags", path: "default.tags", kind: words, into: func(st *task.Settings) any { return &st.DefaultTags }},
		{name: "default_priority", path: "default.priority", kind: text, into: func(st *task.Settings) any { return &st.DefaultPriority }},
		{name: "default_status", path: "default.status", kind: text, into: func(st *task.Settings) any { return &st.DefaultStatus }},
		{name: "members", path: "members", kind: people, into: func(st *task.Settings) any { return &st.Members }},
		{name: "strict_members", path: "strict_members", kind: flag, into: func(st *task.Settings) any { return &st.StrictMembers }},
		{name: "issue_states", path: "issue.states", kind: filled, into: func(st *task.Settings) any { return &st.Statuses }},
		{name: "issue_types", path: "issue.types", kind: filled, into: func(st *task.Settings) any { return &st.Types }},
		{name: "issue_priorities", path: "issue.priorities", kind: filled, into: func(st *task.Settings) any { return &st.Priorities }},
		{name: "tags", path: "issue.tags", kind: words, into: func(st *task.Settings) any { return &st.Tags }},
		{name: "custom_fields", path: "custom.fields", kind: words, into: func(st *task.Settings) any { return &st.CustomFields }},
		{name: "scan_signal_words", path: "scan.signal_words", kind: words},
		{name: "scan_ticket_patterns", path: "scan.ticket_patterns", kind: pattern},
		{name: "scan_enable_ticket_words", path: "scan.enable_ticket_words", kind: flag},
		{name: "scan_enable_mentions", path: "scan.enable_mentions", kind: flag},
		{name: "scan_strip_attributes", path: "scan.strip_attributes", kind: flag},
		{name: "attachments_dir", path: "attachments.dir", kind: text},
		{name: "attachments_max_upload_mb", path: "attachments.max_upload_mb", kind: upload},
		{name: "remotes", path: "remotes", kind: free},
		{name: "agent_profiles", path: "agent.profiles", kind: free},
		{name: "auth_profiles", path: "auth.profiles", kind: free},
		{name: "sprints_defaults_capacity_points", path: "sprints.defaults.capacity_points", kind: count, into: func(st *task.Settings) any { return &st.Sprint.CapacityPoints }},
		{name: "sprints_defaults_capacity_hours", path: "sprints.defaults.capacity_hours", kind: count, into: func(st *task.Settings) any { return &st.Sprint.CapacityHours }},
		{name: "sprints_defaults_length", path: "sprints.defaults.length", kind: length, into: func(st *task.Settings) any { return &st.Sprint.Length }},
		{name: "sprints_defaults_overdue_after", path: "sprints.defaults.overdue_after", kind: length, into: func(st *task.Settings) any { return &st.Sprint.OverdueAfter }},
		{name: "sprints_notifications_enabled", path: "sprints.notifications.enabled", kind: flag, into: func(st *task.Settings) any { return &st.Sprint.NotificationsEnabled }},
		{name: "auto_populate_members", path: "auto.populate_members", kind: flag, into: func(st *task.Settings) any { return &st.Auto.PopulateMembers }},
		{name: "auto_set_reporter", path: "auto.set_reporter", kind: flag, into: func(st *task.Settings) any { return &st.Auto.SetReporter }},
		{name: "auto_assign_on_status", path: "auto.assign_on_status", kind: flag, into: func(st *task.Settings) any { return &st.Auto.AssignOnStatus }},
		{name: "auto_codeowners_assign", path: "auto.codeowners_assign", kind: flag, into: func(st *task.Settings) any { return &st.Auto.CodeownersAssign }},
		{name: "auto_tags_from_path", path: "auto.tags_from_path", kind: flag, into: func(st *task.Settings) any { return &st.Auto.TagsFromPath }},
		{name: "auto_branch_infer_type", path: "auto.branch_infer_type", kind: flag, into: func(st *task.Settings) any { return &st.Auto.BranchInferType }},
		{name: "auto_branch_infer_status", path: "auto.branch_infer_status", kind: flag, into: func(st *task.Settings) any { return &st.Auto.BranchInferStatus }},
		{name: "auto_branch_infer_priority", path: "auto.branch_infer_priority", kind: flag, into: func(st *task.Settings) any { return &st.Auto.BranchInferPriority }},
		{name: "auto_identity", path: "auto.identity", kind: flag, into: func(st *task.Settings) any { return &st.Auto.Identity }},
		{name: "auto_identity_git", path: "auto.identity_git", kind: flag, into: func(st *task.Settings) any { return &st.Auto.IdentityGit }},
		{name: "branch_type_aliases", path: "branch.type_aliases", kind: aliases, into: func(st *task.Settings) any { return &st.BranchTypes }},
		{name: "branch_status_aliases", path: "branch.status_aliases", kind: aliases, into: func(st *task.Settings) any { return &st.BranchStatuses }},
		{name: "branch_priority_aliases", path: "branch.priority_aliases", kind: aliases, into: func(st *task.Settings) any { return &st.BranchPriorities }},
	}
})

// otherNames are further flat forms of settings.
var otherNames = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"issue_tags": "tags", "default_strict_members": "strict_members", "members_strict": "strict_members",
		"members_list": "members", "members_values": "members", "default_members": "members", "issue_custom_fields": "custom_fields",
		"sprint_defaults_capacity_points": "sprints_defaults_capacity_points", "sprint_defaults_length": "sprints_defaults_length",
		"sprint_defaults_capacity_hours": "sprints_defaults_capacity_hours",
		"sprint_defaults_overdue_after":  "sprints_defaults_overdue_after",
		"sprint_notifications_enabled":   "sprints_notifications_enabled", "port": "server_port", "agents": "agent_profiles",
	}
})

// flatName returns a key in its flat form: "Issue.States" is "issue_states".
func flatName(key string) string {
	name := strings.NewReplacer(".", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(key)))
	if other, ok := otherNames()[name]; ok {
		return other
	}
	return name
}

// settingOf returns the setting with a flat name. Any key of sync and agent is one, too.
func settingOf(name string) (setting, bool) {
	all := settings()
	if i := slices.IndexFunc(all, func(s setting) bool { return s.name == name }); i >= 0 {
		return all[i], true
	}
	for _, section := range []string{"sync", "agent", "auth"} {
		if rest, ok := strings.CutPrefix(name, section+"_"); ok && rest != "" {
			return setting{name: name, path: section + "." + rest, kind: free}, true
		}
	}
	return setting{}, false
}
