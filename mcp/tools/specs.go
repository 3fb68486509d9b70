package tools

import (
	"slices"

	"chant/engine/author"
	"chant/engine/spec/next"
	"chant/engine/verify"
	"chant/engine/view"
	"chant/engine/work"
	"chant/mcp/toolset"
)

// This file contains the toolsets of specs and their runs: "specs", which agents get by default, and "review", for
// decisions that are a person's.
//
// It contains rows and, where the contract's reply differs from the result of an operation, a small view or text. It
// decides nothing about specs and reads no arguments.
//
// Rules:
//
//   - A row is a name, a sentence, what it may touch and an operation. Its structured content is the operation's
//     result, which is also what the command line prints as JSON.
//   - Names, parameters and fixed texts are those of the chant MCP contract. Some rows take less than their
//     operation: chant_finalize does not accept changed criteria, which is a person's decision; starts of work and of
//     watches take no limits and labels, and chant_merge no way out of a conflict, which people choose; lists are
//     bounded.

// Texts of parameters that differ from those of their operations.
const (
	limitText = "Maximum number of specs to return (default: 50)"
	runText   = "Also run the commands of criteria (slow)"
)

// specInstructions describe to a model how a spec is worked.
const specInstructions = `chant keeps work as specs: Markdown files with acceptance criteria, worked by agents on branches of their own.
Find work with chant_ready or chant_search and read it with chant_spec_get; partial IDs do.
Meet every acceptance criterion and commit as you go. chant runs the command that a criterion ends in; tick the others with chant_criterion_check once they hold. Never weaken a criterion.
chant_verify tells what is open. When nothing is, call chant_finalize: it completes the spec. Inside the spec's own run it only checks; end your turn, and chant completes and lands the spec.
When a spec is stuck, chant_diagnose says why. Errors end with the next step: a tool to call, or a command.`

// olderFlags returns what the older chant takes beside: flags that waive checks which are either not made here, or cannot be
// waived by an agent.
func olderFlags(names ...string) toolset.Foreign { return toolset.Foreign{NoEffect: names} }

// Specs is the toolset "specs": the fourteen tools of the contract in its order, then those beyond it.
func Specs() toolset.Set {
	return toolset.Set{
		Name: "specs", About: "specs, work on them and their runs", Instructions: specInstructions,
		Tools: slices.Concat(contractTools(), furtherTools(), questionTools()),
	}
}

// contractTools lists the tools of the contract.
func contractTools() []toolset.Tool {
	id, limit := toolset.Param{Name: "id"}, toolset.Param{Name: "limit", Text: limitText}
	return []toolset.Tool{
		{
			Name: "chant_spec_list", Title: "List specs", Effect: toolset.Reads, NextOp: next.List,
			Text:   "List all chant specs in the current project",
			Params: []toolset.Param{{Name: "status", Text: "Filter by status (pending, in_progress, completed, failed, ready, blocked)"}, limit},
			Op:     toolset.Operation(list),
		},
		{
			Name: "chant_spec_get", Title: "Get spec", Effect: toolset.Reads, NextOp: next.Show,
			Text:   "Get details of a chant spec including full body content",
			Params: []toolset.Param{id}, Op: toolset.Operation(get),
		},
		{
			Name: "chant_ready", Title: "List ready specs", Effect: toolset.Reads,
			Text:   "List all specs that are ready to be worked (no unmet dependencies)",
			Params: []toolset.Param{limit}, Op: toolset.Operation(ready),
		},
		{
			Name: "chant_status", Title: "Project status", Effect: toolset.Reads, NextOp: next.Status,
			Text:   "Get project status summary with spec counts by status",
			Params: []toolset.Param{{Name: "brief"}, {Name: "include_activity"}}, Op: toolset.WithText(view.Status, statusText),
		},
		{
			Name: "chant_log", Title: "Read log", Effect: toolset.Reads, NextOp: next.Log,
			Text:   "Read execution log for a spec",
			Params: []toolset.Param{id, {Name: "lines"}, {Name: "offset"}, {Name: "since"}}, Op: toolset.Operation(view.Log),
		},
		{
			Name: "chant_search", Title: "Search specs", Effect: toolset.Reads, NextOp: next.Search,
			Text:   "Search specs by title and body content",
			Params: []toolset.Param{{Name: "query"}, {Name: "status"}, limit}, Op: toolset.Operation(search),
		},
		{
			Name: "chant_diagnose", Title: "Diagnose spec", Effect: toolset.Reads, NextOp: next.Diagnose,
			Text:   "Diagnose issues with a spec (check file, log, locks, commits, criteria)",
			Params: []toolset.Param{id}, Op: toolset.Operation(view.Diagnose),
		},
		{
			Name: "chant_verify", Title: "Verify spec", Effect: toolset.Reads, Slow: toolset.Running, Task: true, NextOp: next.Verify,
			Text:   "Verify a spec meets its acceptance criteria",
			Params: []toolset.Param{id, {Name: "run", Text: runText, Executes: true}}, Op: toolset.Operation(verify.Verify),
		},
		{
			Name: "chant_spec_update", Title: "Update spec", Effect: toolset.Drops, Slow: toolset.Completing, NextOp: next.Update,
			Text: "Update a chant spec status or add output",
			Params: []toolset.Param{
				id, {Name: "status"}, {Name: "output"}, {Name: "replace_body"},
				{Name: "depends_on"}, {Name: "labels"}, {Name: "target_files"}, {Name: "model"},
			},
			Op: toolset.WithText(author.Update, updateText), Foreign: olderFlags("force"),
		},
		{
			Name: "chant_add", Title: "Add spec", Effect: toolset.Adds, NextOp: next.Add,
			Text: "Create a new spec with description",
			Params: []toolset.Param{
				{Name: "description"}, {Name: "prompt"}, {Name: "criteria"}, {Name: "depends_on"}, {Name: "labels"}, {Name: "target_files"},
				{Name: "template"}, {Name: "vars"},
			},
			Op: toolset.Operation(author.Add),
		},
		{
			Name: "chant_finalize", Title: "Finalize spec", Effect: toolset.Executes, Slow: toolset.Always, Task: true, NextOp: next.Finalize,
			Text:   "Mark a spec as completed (validates all criteria are checked)",
			Params: []toolset.Param{id}, Op: toolset.WithText(work.Finalize, finalizeText), Foreign: olderFlags("force"),
		},
		{
			Name: "chant_resume", Title: "Resume spec", Effect: toolset.Drops,
			Text:   "Reset a failed spec to pending status so it can be reworked",
			Params: []toolset.Param{id}, Op: toolset.WithText(work.Reset, resetText),
		},
		{
			Name: "chant_cancel", Title: "Cancel spec", Effect: toolset.Drops,
			Text:   "Cancel a spec (sets status to cancelled)",
			Params: []toolset.Param{id}, Op: toolset.WithText(work.Cancel, cancelText),
		},
		{
			Name: "chant_archive", Title: "Archive spec", Effect: toolset.Adds,
			Text:   "Move a completed spec to the archive directory",
			Params: []toolset.Param{id}, Op: toolset.WithText(author.Archive, archiveText),
		},
	}
}
