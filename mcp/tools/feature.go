package tools

import (
	"chant/engine/feature"
	"chant/engine/spec/next"
	"chant/mcp/toolset"
)

// This file contains the toolset "feature": what an agent needs of the feature of spec-kit or the change of OpenSpec
// that its worktree is about, for clients that were written for the MCP server of rstn.
//
// It contains rows, texts and the errors that those clients know. It reads no file and decides nothing about features.
//
// Rules:
//
//   - The names of tools and parameters are those of rstn, also beside other toolsets. Served alone, the server is called
//     rstn.
//   - Texts are those of rstn's documents to the letter. What they have no place for, such as the next task, is in the
//     structured content.
//   - Every tool answers for the worktree that its server was started in.
//
// Decisions:
//
// 2026-11-26: missing and wrong arguments and failures of files begin with "Error: ", as the chapter about errors has
// them; the errors that are listed with a tool have the words of that list. Rejected: one form for all, which contradicts
// one part of the documents or the other.
//
// 2026-11-26: a hook that fails is a result without isError, whose exit code says so. Rejected: isError, because clients
// then do not read the output as a result.
//
// 2026-11-26: rstn_read_spec has no structured content, because it would repeat the document in the context of the model.

// featureInstructions describe to a model how the tools are used.
const featureInstructions = `rstn_get_context says which feature this worktree is about and which task is next; rstn_read_spec reads its documents.
Call rstn_complete_task after each task of tasks.md, rstn_run_hook for lint, test and format, and rstn_report_status if you need an answer of a person, are done, or cannot continue.`

// Features is the toolset "feature": the tools of the contract in its order.
func Features() toolset.Set {
	return toolset.Set{
		Name: "feature", About: "features of spec-kit and changes of OpenSpec, for clients of rstn", Instructions: featureInstructions,
		Standalone: toolset.Standalone{Server: "rstn"},
		Tools: []toolset.Tool{
			{
				Name: "rstn_get_app_state", Title: "Get app state", Effect: toolset.Reads,
				Text: "Get full TUI application state as JSON: phases, hooks and runs in progress",
				Op:   toolset.Operation(feature.AppState), Foreign: foreign(featureFailure("")),
			},
			{
				Name: "rstn_report_status", Title: "Report status", Effect: toolset.Adds, Slow: asksPerson, Task: true,
				Text:   "Report current task status: needs_input asks the user, completed claims that the work is done, error fails the run",
				Params: []toolset.Param{{Name: "status"}, {Name: "prompt"}, {Name: "message"}},
				Op:     toolset.WithTexts(report, reportText), Foreign: foreign(featureFailure("status", feature.Statuses()...)),
			},
			{
				Name: "rstn_read_spec", Title: "Read spec", Effect: toolset.Reads,
				Text:   "Read a spec artifact for the current feature. Of a change of OpenSpec, spec is its proposal and plan its design",
				Params: []toolset.Param{{Name: "artifact"}},
				Op:     toolset.WithText(feature.ReadSpec, document), Foreign: textOnly(featureFailure("artifact", feature.Artifacts()...)),
			},
			{
				Name: "rstn_get_context", Title: "Get context", Effect: toolset.Reads, NextOp: next.Feature,
				Text: "Get current feature context and metadata. All fields are null outside of a feature",
				Op:   toolset.WithText(feature.Context, contextText), Foreign: foreign(featureFailure("")),
			},
			{
				Name: "rstn_complete_task", Title: "Complete task", Effect: toolset.Executes, Slow: runsHook,
				Text:   "Mark a task as complete with optional validation: of tasks.md, after the hook validate, else test, has passed, where the project has one",
				Params: []toolset.Param{{Name: "task_id"}, {Name: "skip_validation"}},
				Op:     toolset.WithText(feature.CompleteTask, completedText), Foreign: foreign(featureFailure("task_id")),
			},
			{
				Name: "rstn_run_hook", Title: "Run hook", Effect: toolset.Executes, Slow: toolset.Always, Task: true,
				Text:   "Run a project-configured hook (lint, test, format). A hook that fails has an exit_code other than 0",
				Params: []toolset.Param{{Name: "hook_name"}, {Name: "args"}},
				Op:     toolset.WithText(feature.RunHook, hookText), Foreign: foreign(featureFailure("hook_name")),
			},
		},
	}
}

// asksPerson reports whether a call asks a person, and may wait for the answer.
func asksPerson(args toolset.Arguments) bool { return args["status"] == feature.NeedsInput }

// runsHook reports whether a call may run a hook.
func runsHook(args toolset.Arguments) bool { return args["skip_validation"] != true }
