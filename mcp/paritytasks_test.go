package mcp_test

// withoutCommand lists the tools of tasks that no command does.
func withoutCommand() []string {
	return []string{
		"schema_discover", // the command line has help
		"whoami", "task_create", "task_get", "task_update", "task_comment_add", "task_comment_update", "task_bulk_update", "task_bulk_comment_add",
		"task_bulk_reference_add", "task_bulk_reference_remove", "task_delete", "task_list", "project_list", "project_stats", "config_show",
		"config_set", "sprint_list", "sprint_get", "sprint_create", "sprint_update", "sprint_summary", "sprint_burndown", "sprint_velocity", "sprint_add",
		"sprint_remove", "sprint_delete", "sprint_backlog", "task_reference_add", "task_reference_remove",
	}
}
