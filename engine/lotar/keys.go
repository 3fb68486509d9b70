package lotar

import (
	"slices"
	"strings"
	"sync"
)

// kind is what the value of a setting is.
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
}

// settings lists the keys that have a meaning.
var settings = sync.OnceValue(func() []setting {
	out := []setting{
		{name: "server_port", path: "server.port", kind: port, global: true},
		{name: "default_project", path: "default.project", kind: prefix, global: true},
		{name: "project_name", path: "project.name", kind: text, own: true},
		{name: "default_assignee", path: "default.assignee", kind: person},
		{name: "default_reporter", path: "default.reporter", kind: person},
		{name: "default_tags", path: "default.tags", kind: words},
		{name: "default_priority", path: "default.priority", kind: text},
		{name: "default_status", path: "default.status", kind: text},
		{name: "members", path: "members", kind: people},
		{name: "strict_members", path: "strict_members", kind: flag},
		{name: "issue_states", path: "issue.states", kind: filled},
		{name: "issue_types", path: "issue.types", kind: filled},
		{name: "issue_priorities", path: "issue.priorities", kind: filled},
		{name: "tags", path: "issue.tags", kind: words},
		{name: "custom_fields", path: "custom.fields", kind: words},
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
		{name: "sprints_defaults_capacity_points", path: "sprints.defaults.capacity_points", kind: count},
		{name: "sprints_defaults_capacity_hours", path: "sprints.defaults.capacity_hours", kind: count},
		{name: "sprints_defaults_length", path: "sprints.defaults.length", kind: length},
		{name: "sprints_defaults_overdue_after", path: "sprints.defaults.overdue_after", kind: length},
		{name: "sprints_notifications_enabled", path: "sprints.notifications.enabled", kind: flag},
	}
	for _, name := range autoNames() {
		out = append(out, setting{name: "auto_" + name, path: "auto." + name, kind: flag})
	}
	for _, name := range []string{"type", "status", "priority"} {
		out = append(out, setting{name: "branch_" + name + "_aliases", path: "branch." + name + "_aliases", kind: aliases})
	}
	return out
})

// autoNames lists what chant may fill in by itself.
func autoNames() []string {
	return []string{
		"populate_members", "set_reporter", "assign_on_status", "codeowners_assign", "tags_from_path", "branch_infer_type",
		"branch_infer_status", "branch_infer_priority", "identity", "identity_git",
	}
}

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
