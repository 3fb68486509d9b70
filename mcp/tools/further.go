package tools

import (
	"chant/engine/author"
	"chant/engine/spec/next"
	"chant/engine/view"
	"chant/engine/work"
	"chant/engine/work/node"
	"chant/engine/work/queue"
	"chant/mcp/toolset"
)

// furtherTools lists the tools of the toolset "specs" beyond the contract.
func furtherTools() []toolset.Tool {
	id := toolset.Param{Name: "id"}
	return []toolset.Tool{
		{
			Name: "chant_lint", Title: "Lint specs", Effect: toolset.Reads, NextOp: next.Lint,
			Text:   "Check specs for mistakes",
			Params: []toolset.Param{id, {Name: "limit"}}, Op: toolset.Operation(lint),
		},
		{
			Name: "chant_reset", Title: "Reset spec", Effect: toolset.Drops, NextOp: next.Reset,
			Text:   "Drop a spec's run and make it pending again",
			Params: []toolset.Param{id}, Op: toolset.WithText(work.Reset, resetText),
		},
		{
			Name: "chant_work_start", Title: "Start work", Effect: toolset.Executes, Slow: toolset.Always, Task: true, NextOp: next.Work,
			Text:   "Start an agent on a spec in the background",
			Params: []toolset.Param{id, {Name: "chain"}, {Name: "parallel"}, {Name: "model"}, {Name: "provider"}, {Name: "no_merge"}, {Name: "continue"}},
			Op:     toolset.Operation(queue.WorkStart), Foreign: olderFlags("skip_criteria"),
		},
		{
			Name: "chant_work_list", Title: "List runs", Effect: toolset.Reads,
			Text:   "List runs under way or interrupted",
			Params: []toolset.Param{{Name: "process_id"}, {Name: "include_completed"}}, Op: toolset.Operation(queue.WorkList),
		},
		{
			Name: "chant_pause", Title: "Pause work", Effect: toolset.Adds, Slow: toolset.Always, NextOp: next.Pause,
			Text:   "Stop the agent at work on a spec; work can go on later",
			Params: []toolset.Param{id}, Op: toolset.WithText(node.Pause, pauseText),
		},
		{
			Name: "chant_takeover", Title: "Take over", Effect: toolset.Adds, Slow: toolset.Always, NextOp: next.Takeover,
			Text:   "Stop the agent at work on a spec and get its worktree, log and open criteria",
			Params: []toolset.Param{id}, Op: toolset.Operation(node.Takeover), Foreign: olderFlags("force"),
		},
		{
			Name: "chant_watch_status", Title: "Watch status", Effect: toolset.Reads, NextOp: next.WatchStatus,
			Text: "Tell whether a watch keeps work going, and of the worktrees of runs",
			Op:   toolset.Operation(queue.WatchStatus),
		},
		{
			Name: "chant_watch_start", Title: "Start watch", Effect: toolset.Executes, Slow: toolset.Always, NextOp: next.WatchStart,
			Text:   "Keep work going in the background: finish crashed runs, run due retries, work what becomes ready",
			Params: []toolset.Param{{Name: "work"}, {Name: "parallel"}}, Op: toolset.WithText(queue.WatchStart, watchStartText),
		},
		{
			Name: "chant_watch_stop", Title: "Stop watch", Effect: toolset.Adds,
			Text: "Let the watch start nothing more and end",
			Op:   toolset.WithText(queue.WatchStop, watchStopText),
		},
		{
			Name: "chant_criterion_check", Title: "Tick criterion", Effect: toolset.Adds, NextOp: next.Check,
			Text:   "Tick or untick one acceptance criterion that has no command",
			Params: []toolset.Param{id, {Name: "criterion", Integer: true}, {Name: "uncheck"}}, Op: toolset.Operation(author.Check),
		},
		{
			Name: "chant_merge", Title: "Land spec", Effect: toolset.Executes, Slow: toolset.Always, Task: true, NextOp: next.Merge,
			Text:   "Land a completed spec that has not landed",
			Params: []toolset.Param{id}, Op: toolset.WithText(work.Merge, mergeText),
		},
		{
			Name: "chant_queue", Title: "Landing queue", Effect: toolset.Reads, NextOp: next.Queue,
			Text:   "List completed specs that wait to land, and what each waits for",
			Params: []toolset.Param{{Name: "target"}, {Name: "limit"}, {Name: "cursor"}}, Op: toolset.Operation(view.Queue),
		},
		{
			Name: "chant_deps", Title: "Dependencies", Effect: toolset.Reads, NextOp: next.Deps,
			Text:   "Show what a spec depends on, who waits for it and what is in its way",
			Params: []toolset.Param{id, {Name: "limit"}}, Op: toolset.Operation(deps),
		},
	}
}
