package tools

import (
	"chant/engine/task/tasks"
	"chant/mcp/toolset"
)

func settingRows() []toolset.Tool {
	return []toolset.Tool{
		{
			Name: "project_list", Title: "List projects", Effect: toolset.Reads,
			Text:   "List projects, by page as task_list does.",
			Params: params("limit", "cursor"), Op: toolset.Operation(tasks.Projects),
		},
		{
			Name: "project_stats", Title: "Project statistics", Effect: toolset.Reads,
			Text:   "Count the open and done tasks of a project.",
			Params: params("name"), Op: toolset.Operation(tasks.Stats),
		},
		{
			Name: "config_show", Title: "Show settings", Effect: toolset.Reads,
			Text:   "Show the settings of a project, or with global those of all.",
			Params: params("global", "project"), Foreign: toolset.Foreign{Hints: []toolset.Hint{hint("project", projects)}}, Op: toolset.Operation(tasks.ConfigShow),
		},
		{
			Name: "config_set", Title: "Change settings", Effect: toolset.Drops,
			Text:   "Change settings: values maps keys such as default_priority to texts. An empty text clears.",
			Params: params("values", "global", "project"), Op: toolset.WithText(tasks.ConfigSet, configText),
		},
		{
			Name: "schema_discover", Title: "Show tools", Effect: toolset.Reads,
			Text:   "Show the definitions of these tools, or of one.",
			Params: params("tool"), Op: toolset.Operation(toolset.Discover),
		},
		{
			Name: "task_reference_add", Title: "Add reference", Effect: toolset.Adds,
			Text:   "Add a reference to a task. kind: link, file, code (path#start-end), jira or github.",
			Params: params("id", "kind", "value"), Op: toolset.Operation(tasks.ReferenceAdd),
		},
		{
			Name: "task_reference_remove", Title: "Remove reference", Effect: toolset.Drops,
			Text:   "Remove a reference from a task.",
			Params: params("id", "kind", "value"), Op: toolset.Operation(tasks.ReferenceRemove),
		},
	}
}
