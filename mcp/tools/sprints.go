package tools

import (
	"chant/engine/task/sprints"
	"chant/mcp/toolset"
)

// sprintParams are parameters behind that of the sprint, which may be 3 or "#3".
func sprintParams(names ...string) []toolset.Param {
	return append([]toolset.Param{{Name: "sprint_id", Brief: true, Integer: true}}, params(names...)...)
}

func sprintRows() []toolset.Tool {
	plan := []string{"label", "goal", "plan_length", "starts_at", "ends_at", "capacity_points", "capacity_hours", "overdue_after", "notes"}
	return append([]toolset.Tool{
		{
			Name: "sprint_list", Title: "List sprints", Effect: toolset.Reads,
			Text:   "List sprints, by page as task_list does.",
			Params: params("limit", "cursor", "include_integrity"), Op: toolset.Operation(sprints.List),
		},
		{
			Name: "sprint_get", Title: "Get sprint", Effect: toolset.Reads,
			Text:   "Read a sprint.",
			Params: sprintParams(), Op: toolset.Operation(sprints.Get),
		},
		{
			Name: "sprint_create", Title: "Create sprint", Effect: toolset.Adds,
			Text:   "Create a sprint. Lengths are such as 2w or 10d.",
			Params: params(append(plan, "skip_defaults")...), Op: toolset.Operation(sprints.Create),
		},
		{
			Name: "sprint_update", Title: "Update sprint", Effect: toolset.Drops,
			Text:   "Change a sprint. actual_started_at starts it, actual_closed_at closes it; null or an empty text clears.",
			Params: sprintParams(append(plan, "actual_started_at", "actual_closed_at")...), Op: toolset.Operation(sprints.Update),
		},
	}, reportRows()...)
}

func reportRows() []toolset.Tool {
	return []toolset.Tool{
		{
			Name: "sprint_summary", Title: "Summarize sprint", Effect: toolset.Reads,
			Text:   "Report how much of a sprint is done, and what is blocked.",
			Params: sprintParams(), Op: toolset.Operation(sprints.Summary),
		},
		{
			Name: "sprint_burndown", Title: "Sprint burndown", Effect: toolset.Reads,
			Text:   "Report what remained of a sprint on each day.",
			Params: sprintParams(), Op: toolset.Operation(sprints.Burndown),
		},
		{
			Name: "sprint_velocity", Title: "Sprint velocity", Effect: toolset.Reads,
			Text:   "Report how much recent sprints completed. metric: tasks, points (default) or hours.",
			Params: params("limit", "include_active", "metric"), Op: toolset.Operation(sprints.Velocity),
		},
		{
			Name: "sprint_add", Title: "Add to sprint", Effect: toolset.Adds,
			Text:   "Assign tasks to a sprint: by sprint_id, sprint (next, previous) or the active one. force removes them from others.",
			Params: append(sprintParams("tasks", "allow_closed", "force", "cleanup_missing"), toolset.Param{Name: "sprint", Brief: true, Integer: true}), Op: toolset.WithTexts(sprints.Add, addTexts),
		},
		{
			Name: "sprint_remove", Title: "Remove from sprint", Effect: toolset.Drops,
			Text:   "Remove tasks from a sprint.",
			Params: append(sprintParams("tasks", "cleanup_missing"), toolset.Param{Name: "sprint", Brief: true, Integer: true}), Op: toolset.Operation(sprints.Remove),
		},
		{
			Name: "sprint_delete", Title: "Delete sprint", Effect: toolset.Drops,
			Text:   "Delete a sprint. cleanup_missing removes it from its tasks.",
			Params: sprintParams("cleanup_missing"), Op: toolset.WithTexts(sprints.Delete, deleteTexts),
		},
		{
			Name: "sprint_backlog", Title: "Backlog", Effect: toolset.Reads,
			Text: "List open tasks without a sprint, ranked, by page as task_list does (default 20, at most 100).",
			Params: append(params("project", "status", "tag", "assignee", "limit", "cursor"),
				toolset.Param{Name: "cleanup_missing", Brief: true, Executes: true}),
			Foreign: toolset.Foreign{Hints: withoutTexts(hints("status", statuses), hints("tag", tags), hint("assignee", members))},
			Op:      toolset.Operation(sprints.Backlog),
		},
	}
}
