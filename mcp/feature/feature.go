package feature

import (
	"chant/engine/feature"
	"chant/engine/spec/next"
	"chant/mcp/toolset"
)

// instructions describe to a model how the tools are used.
const instructions = `rstn_get_context says which feature this worktree is about and which task is next; rstn_read_spec reads its documents.
Call rstn_complete_task after each task of tasks.md, rstn_run_hook for lint, test and format, and rstn_report_status if you need an answer of a person, are done, or cannot continue.`

// Set is the toolset "feature": the tools of the contract in its order.
func Set() toolset.Set {
	return toolset.Set{
		Name: "feature", About: "features of spec-kit and changes of OpenSpec, for clients of rstn", Instructions: instructions,
		Standalone: toolset.Standalone{Server: "rstn"},
		Tools: []toolset.Tool{
			{
				Name: "rstn_get_app_state", Title: "Get app state", Effect: toolset.Reads, ArgsOptional: true, ProjectOptional: true,
				Text: "Get full application state as JSON: phases, hooks and runs in progress",
				Op:   toolset.Operation(feature.AppState), Failure: failure(""),
			},
			{
				Name: "rstn_report_status", Title: "Report status", Effect: toolset.Adds, Slow: asksPerson, Task: true, ArgsOptional: true, ProjectOptional: true,
				Text:   "Report current task status: needs_input asks the user, completed claims that the work is done, error fails the run",
				Params: []toolset.Param{{Name: "status"}, {Name: "prompt"}, {Name: "message"}},
				Op:     toolset.WithTexts(report, reportText), Failure: failure("status", feature.Statuses()...),
			},
			{
				Name: "rstn_read_spec", Title: "Read spec", Effect: toolset.Reads, ArgsOptional: true, ProjectOptional: true, TextOnly: true,
				Text:   "Read a spec artifact of the current feature. Of a change of OpenSpec, spec is its proposal and plan its design",
				Params: []toolset.Param{{Name: "artifact"}},
				Op:     toolset.WithText(feature.ReadSpec, document), Failure: failure("artifact", feature.Artifacts()...),
			},
			{
				Name: "rstn_get_context", Title: "Get context", Effect: toolset.Reads, ArgsOptional: true, ProjectOptional: true, NextOp: next.Feature,
				Text: "Get current feature context and metadata. All fields are null outside of a feature",
				Op:   toolset.WithText(feature.Context, contextText), Failure: failure(""),
			},
			{
				Name: "rstn_complete_task", Title: "Complete task", Effect: toolset.Executes, Slow: runsHook, ArgsOptional: true, ProjectOptional: true,
				Text:   "Mark a task of tasks.md as complete. The hook validate, else test, has to pass first, where the project has one",
				Params: []toolset.Param{{Name: "task_id"}, {Name: "skip_validation"}},
				Op:     toolset.WithText(feature.CompleteTask, completedText), Failure: failure("task_id"),
			},
			{
				Name: "rstn_run_hook", Title: "Run hook", Effect: toolset.Executes, Slow: toolset.Always, ArgsOptional: true, ProjectOptional: true, Task: true,
				Text:   "Run a project-configured hook (lint, test, format). A hook that fails has an exit_code other than 0",
				Params: []toolset.Param{{Name: "hook_name"}, {Name: "args"}},
				Op:     toolset.WithText(feature.RunHook, hookText), Failure: failure("hook_name"),
			},
		},
	}
}

// asksPerson reports whether a call asks a person, and may wait for the answer.
func asksPerson(args toolset.Arguments) bool { return args["status"] == feature.NeedsInput }

// runsHook reports whether a call may run a hook.
func runsHook(args toolset.Arguments) bool { return args["skip_validation"] != true }
