package mcp

import "chant/engine"

// The sets of tools. Those of specs and their runs are there by default; deciding about
// specs is a person's, whose agent gets these only when asked for.
const (
	specsToolset  = "specs"
	reviewToolset = "review"
)

// Texts of parameters that say more than their operation's.
const (
	limitText = "Maximum number of specs to return (default: 50)"
	runText   = "Also run the commands of criteria (slow)"
)

// table lists every tool: the fourteen of the contract in its order, then those
// beyond it, then those of other toolsets.
func table() []tool {
	id := param{name: "id"}
	limit := param{name: "limit", text: limitText}
	return []tool{
		{
			name: "chant_spec_list", title: "List specs", does: reads,
			text:  "List all chant specs in the current project",
			takes: []param{{name: "status"}, limit}, op: operation(list),
		},
		{
			name: "chant_spec_get", title: "Get spec", does: reads,
			text:  "Get details of a chant spec including full body content",
			takes: []param{id}, op: operation(get),
		},
		{
			name: "chant_ready", title: "List ready specs", does: reads,
			text:  "List all specs that are ready to be worked (no unmet dependencies)",
			takes: []param{limit}, op: operation(ready),
		},
		{
			name: "chant_status", title: "Project status", does: reads,
			text:  "Get project status summary with spec counts by status",
			takes: []param{{name: "brief"}, {name: "include_activity"}}, op: told((*engine.Engine).Status, sayStatus),
		},
		{
			name: "chant_log", title: "Read log", does: reads,
			text:  "Read execution log for a spec",
			takes: []param{id, {name: "lines"}, {name: "offset"}, {name: "since"}}, op: operation((*engine.Engine).Log),
		},
		{
			name: "chant_search", title: "Search specs", does: reads,
			text:  "Search specs by title and body content",
			takes: []param{{name: "query"}, {name: "status", text: "Filter by status"}, limit}, op: operation(search),
		},
		{
			name: "chant_diagnose", title: "Diagnose spec", does: reads,
			text:  "Diagnose issues with a spec (check file, log, locks, commits, criteria)",
			takes: []param{id}, op: operation((*engine.Engine).Diagnose),
		},
		{
			name: "chant_verify", title: "Verify spec", does: reads, slow: running,
			text:  "Verify a spec meets its acceptance criteria",
			takes: []param{id, {name: "run", text: runText, executes: true}}, op: operation((*engine.Engine).Verify),
		},
		{
			name: "chant_spec_update", title: "Update spec", does: drops, slow: completing,
			text: "Update a chant spec status or add output",
			takes: []param{
				id, {name: "status"}, {name: "output"}, {name: "replace_body"},
				{name: "depends_on"}, {name: "labels"}, {name: "target_files"}, {name: "model"},
			},
			op: told((*engine.Engine).Update, sayUpdate),
		},
		{
			name: "chant_add", title: "Add spec", does: adds,
			text: "Create a new spec with description",
			takes: []param{
				{name: "description"}, {name: "prompt"}, {name: "criteria"}, {name: "depends_on"}, {name: "labels"}, {name: "target_files"},
			},
			op: operation((*engine.Engine).Add),
		},
		{
			name: "chant_finalize", title: "Finalize spec", does: executes, slow: always,
			text:  "Mark a spec as completed (validates all criteria are checked)",
			takes: []param{id}, op: told((*engine.Engine).Finalize, sayFinalize),
		},
		{
			name: "chant_resume", title: "Resume spec", does: drops,
			text:  "Reset a failed spec to pending status so it can be reworked",
			takes: []param{id}, op: told((*engine.Engine).Reset, sayReset),
		},
		{
			name: "chant_cancel", title: "Cancel spec", does: drops,
			text:  "Cancel a spec (sets status to cancelled)",
			takes: []param{id}, op: told((*engine.Engine).Cancel, sayCancel),
		},
		{
			name: "chant_archive", title: "Archive spec", does: adds,
			text:  "Move a completed spec to the archive directory",
			takes: []param{id}, op: told((*engine.Engine).Archive, sayArchive),
		},
		{
			name: "chant_lint", title: "Lint specs", does: reads,
			text:  "Check specs for mistakes",
			takes: []param{id, {name: "limit"}}, op: operation(lint),
		},
		{
			name: "chant_reset", title: "Reset spec", does: drops,
			text:  "Drop a spec's run and make it pending again",
			takes: []param{id}, op: told((*engine.Engine).Reset, sayReset),
		},
		{
			name: "chant_work_start", title: "Start work", does: executes, slow: always,
			text:  "Start an agent on a spec in the background",
			takes: []param{id, {name: "chain"}, {name: "parallel"}, {name: "model"}, {name: "provider"}, {name: "no_merge"}, {name: "continue"}},
			op:    operation((*engine.Engine).WorkStart),
		},
		{
			name: "chant_work_list", title: "List runs", does: reads,
			text: "List runs under way or interrupted",
			op:   operation((*engine.Engine).WorkList),
		},
		{
			name: "chant_pause", title: "Pause work", does: adds, slow: always,
			text:  "Stop the agent at work on a spec; work can go on later",
			takes: []param{id}, op: told((*engine.Engine).Pause, sayPause),
		},
		{
			name: "chant_takeover", title: "Take over", does: adds, slow: always,
			text:  "Stop the agent at work on a spec and get its worktree, log and open criteria",
			takes: []param{id}, op: operation((*engine.Engine).Takeover),
		},
		{
			name: "chant_watch_status", title: "Watch status", does: reads,
			text: "Tell whether a watch keeps work going, and of the worktrees of runs",
			op:   operation((*engine.Engine).WatchStatus),
		},
		{
			name: "chant_watch_start", title: "Start watch", does: executes, slow: always,
			text:  "Keep work going in the background: finish crashed runs, run due retries, work what becomes ready",
			takes: []param{{name: "work"}, {name: "parallel"}}, op: told((*engine.Engine).WatchStart, sayWatchStart),
		},
		{
			name: "chant_watch_stop", title: "Stop watch", does: adds,
			text: "Let the watch start nothing more and end",
			op:   told((*engine.Engine).WatchStop, sayWatchStop),
		},
		{
			name: "chant_criterion_check", title: "Tick criterion", does: adds,
			text:  "Tick or untick one acceptance criterion that has no command",
			takes: []param{id, {name: "criterion", number: true}, {name: "uncheck"}}, op: operation((*engine.Engine).Check),
		},
		{
			name: "chant_merge", title: "Land spec", does: executes, slow: always,
			text:  "Land a completed spec that has not landed",
			takes: []param{id}, op: told((*engine.Engine).Merge, sayMerge),
		},
		{
			name: "chant_deps", title: "Dependencies", does: reads,
			text:  "Show what a spec depends on, who waits for it and what is in its way",
			takes: []param{id, {name: "limit"}}, op: operation(deps),
		},
		{
			name: "chant_split", title: "Split spec", does: executes, slow: always, set: reviewToolset,
			text: "Take a large spec apart into members that an agent proposes",
			takes: []param{
				id, {name: "force"}, {name: "recursive"}, {name: "max_depth"}, {name: "by_heading"}, {name: "dry_run"}, {name: "model"}, {name: "provider"},
			},
			op: operation((*engine.Engine).Split),
		},
		{
			name: "chant_approve", title: "Approve spec", does: adds, set: reviewToolset,
			text:  "Approve a spec, or the work on it once completed",
			takes: []param{id, {name: "by"}}, op: operation((*engine.Engine).Approve),
		},
		{
			name: "chant_reject", title: "Reject spec", does: adds, set: reviewToolset,
			text:  "Reject a spec, or the work on it, with a reason",
			takes: []param{id, {name: "reason"}, {name: "by"}, {name: "action"}}, op: operation((*engine.Engine).Reject),
		},
		{
			name: "chant_derive", title: "Derive fields", does: adds, set: reviewToolset,
			text:  "Fill in the front-matter keys that the project derives",
			takes: []param{id, {name: "all"}, {name: "dry_run"}}, op: operation((*engine.Engine).Derive),
		},
		{
			name: "chant_drift", title: "Drift", does: reads, set: reviewToolset,
			text:  "Tell which completed specs no longer fit the files they depend on",
			takes: []param{{name: "ids"}, {name: "at"}, {name: "archived"}, {name: "limit"}}, op: operation(drift),
		},
	}
}
