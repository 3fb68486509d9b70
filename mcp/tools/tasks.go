package tools

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/task/taskboard"
	"chant/engine/task/tasks"
	"chant/mcp/toolset"
)

// instructions describe to a model how tasks are used.
const instructions = `Tasks are specs of chant: ids are PREFIX-n, and the id of a spec does as well.
Find tasks with task_list or sprint_backlog and read one with task_get. Follow nextCursor while hasMore is true.
A status changes by the rules of chant: a task is Done when its acceptance criteria hold, else task_update says what is open.
Values of status, priority and type are those in enumHints; errors list the allowed ones in error.data.`

// Tasks is the toolset "tasks": the tools of lotar's server in its order, and the two references of a single task.
func Tasks() toolset.Set {
	set := toolset.Set{
		Name: "tasks", About: "tasks, sprints and projects, for clients of lotar", Instructions: instructions, Dialect: dialect(),
		Tools: taskRows(), Standalone: toolset.Standalone{Server: "lotar-mcp"},
	}
	set.Tools = append(set.Tools, bulkRows()...)
	set.Tools = append(set.Tools, listRows()...)
	set.Tools = append(set.Tools, sprintRows()...)
	set.Tools = append(set.Tools, settingRows()...)
	for i := range set.Tools {
		set.Tools[i].Lenient = true
	}
	return set
}

// params are parameters without descriptions.
func params(names ...string) []toolset.Param {
	var out []toolset.Param
	for _, name := range names {
		out = append(out, toolset.Param{Name: name, Brief: true})
	}
	return out
}

// hint says that a parameter takes a value of a category.
func hint(field, category string) toolset.Hint {
	return toolset.Hint{Field: field, Category: category, Label: category}
}

// hints say that parameters take several values of a category.
func hints(field, category string) toolset.Hint {
	h := hint(field, category)
	h.Multiple = true
	return h
}

// withoutTexts are hints without sentences, for tools beside one that has them.
func withoutTexts(all ...toolset.Hint) []toolset.Hint {
	for i := range all {
		all[i].Label = ""
	}
	return all
}

// fieldHints are the hints of the fields of a task; prefix leads to them.
func fieldHints(prefix string) []toolset.Hint {
	out := []toolset.Hint{
		hint(prefix+"status", statuses), hint(prefix+"priority", priorities), hint(prefix+"type", types), hint(prefix+"reporter", members),
		hint(prefix+"assignee", members), hints(prefix+"tags", tags), hints(prefix+"custom_fields", customFields),
	}
	if prefix != "" {
		return withoutTexts(out...)
	}
	return out
}

func taskRows() []toolset.Tool {
	return []toolset.Tool{
		{
			Name: "whoami", Title: "Who am I", Effect: toolset.Reads,
			Text:   "Show who @me is.",
			Params: params("explain"), Op: toolset.Operation(tasks.Whoami),
		},
		{
			Name: "task_create", Title: "Create task", Effect: toolset.Adds,
			Text: "Create a task. What is left out has the project's defaults.",
			Params: params("title", "description", "project", "priority", "type", "status", "reporter", "assignee", "due_date", "effort",
				"tags", "relationships", "custom_fields", "sprints"),
			Foreign: toolset.Foreign{Hints: append([]toolset.Hint{hint("project", projects)}, fieldHints("")...)}, Op: toolset.Operation(tasks.Create),
		},
		{
			Name: "task_get", Title: "Get task", Effect: toolset.Reads,
			Text:   "Read a task by its id, or by its number and project.",
			Params: params("id", "project"), Op: toolset.Operation(tasks.Get),
		},
		{
			Name: "task_update", Title: "Update task", Effect: toolset.Drops,
			Text:   "Change the fields of a task that patch has. tags, relationships and custom_fields replace all; null clears.",
			Params: params("id", "patch"), Foreign: toolset.Foreign{Hints: fieldHints("patch.")}, Op: toolset.Operation(tasks.Update),
		},
		{
			Name: "task_comment_add", Title: "Add comment", Effect: toolset.Adds,
			Text:   "Add a comment to a task.",
			Params: params("id", "text"), Op: toolset.Operation(tasks.CommentAdd),
		},
		{
			Name: "task_comment_update", Title: "Update comment", Effect: toolset.Drops,
			Text:   "Change the text of a comment; index counts from 0.",
			Params: params("id", "index", "text"), Op: toolset.Operation(tasks.CommentUpdate),
		},
	}
}

func bulkRows() []toolset.Tool {
	return []toolset.Tool{
		{
			Name: "task_bulk_update", Title: "Update tasks", Effect: toolset.Drops,
			Text:   "Change several tasks by one patch, as task_update does. failed names those that did not change.",
			Params: append(params("ids", "stop_on_error"), toolset.Param{Name: "patch", Plain: true, Brief: true}), Foreign: toolset.Foreign{Hints: fieldHints("patch.")}, Op: toolset.Operation(tasks.BulkUpdate),
		},
		{
			Name: "task_bulk_comment_add", Title: "Comment on tasks", Effect: toolset.Adds,
			Text:   "Add a comment to several tasks.",
			Params: params("ids", "text", "stop_on_error"), Op: toolset.Operation(tasks.BulkComment),
		},
		{
			Name: "task_bulk_reference_add", Title: "Add references", Effect: toolset.Adds,
			Text:   "Add a reference to several tasks.",
			Params: params("ids", "kind", "value", "stop_on_error"), Op: toolset.Operation(tasks.BulkReferenceAdd),
		},
		{
			Name: "task_bulk_reference_remove", Title: "Remove references", Effect: toolset.Drops,
			Text:   "Remove a reference from several tasks.",
			Params: params("ids", "kind", "value", "stop_on_error"), Op: toolset.Operation(tasks.BulkReferenceRemove),
		},
		{
			Name: "task_delete", Title: "Delete task", Effect: toolset.Drops,
			Text:   "Delete a task. Returns deleted=true, or deleted=false where there is none.",
			Params: params("id", "project"), Op: toolset.WithText(tasks.Delete, deleteText),
		},
	}
}

func listRows() []toolset.Tool {
	return []toolset.Tool{
		{
			Name: "task_list", Title: "List tasks", Effect: toolset.Reads,
			Text: "List tasks that match every filter; a filter with several values matches any of them. " +
				"PAGINATION: at most limit tasks (default 50, at most 200); while hasMore is true, call again with cursor = nextCursor.",
			Params: params("project", "status", "priority", "type", "tags", "assignee", "search", "custom_fields", "sprints", "limit", "cursor"),
			Foreign: toolset.Foreign{Hints: []toolset.Hint{
				hints("status", statuses), hints("priority", priorities), hints("type", types), hint("assignee", members),
				hints("tags", tags), hints("custom_fields", customFields),
			}},
			Op: toolset.Operation(tasks.List),
		},
	}
}

// The categories of values that go with parameters, in the order in which changes are announced.
const (
	projects     = "projects"
	statuses     = "statuses"
	priorities   = "priorities"
	types        = "types"
	members      = "members"
	tags         = "tags"
	customFields = "custom_fields"
)

// dialect is how lotar's clients expect the tools.
func dialect() *toolset.Dialect {
	return &toolset.Dialect{
		Protocol: "2025-06-18",
		Capabilities: map[string]any{
			"tools": map[string]bool{"listChanged": true, "list": true, "call": true}, "logging": struct{}{},
		},
		Fault: fault, Values: values,
		Categories: []string{projects, statuses, priorities, types, members, tags, customFields},
	}
}

// values returns what the settings allow. With several projects there are none: which project is meant is not known.
func values(ctx context.Context, p *engine.Project) (map[string][]string, error) {
	board, err := taskboard.Open(ctx, p, "")
	if err != nil {
		return nil, err
	}
	st := board.Settings
	known := []string{st.DefaultProject}
	for _, each := range st.Projects {
		if !slices.Contains(known, each.Prefix) {
			known = append(known, each.Prefix)
		}
	}
	// With several projects it is not known which one a call is about, and values of another would mislead.
	if len(known) > 1 {
		return nil, nil
	}
	return board.EnumHints(st.DefaultProject), nil
}
