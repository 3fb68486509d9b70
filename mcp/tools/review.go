package tools

import (
	"chant/engine/author"
	"chant/engine/author/planning"
	"chant/engine/author/review"
	"chant/engine/spec/next"
	"chant/mcp/toolset"
)

// Review is the toolset "review": decisions about specs, which are for people. Their agents get these tools only when
// they are asked for.
func Review() toolset.Set {
	return toolset.Set{
		Name: "review", About: "decisions about specs", Instructions: reviewInstructions,
		Tools: reviewTools(),
	}
}

const reviewInstructions = `chant_approve and chant_reject decide about a spec, or about the work on it once it is completed. Give a reason that the author can act on.`

// reviewTools lists the tools of the toolset "review".
func reviewTools() []toolset.Tool {
	id := toolset.Param{Name: "id"}
	return []toolset.Tool{
		{
			Name: "chant_split", Title: "Split spec", Effect: toolset.Executes, Slow: toolset.Always, Task: true, NextOp: next.Split,
			Text: "Take a large spec apart into members that an agent proposes",
			Params: []toolset.Param{
				id, {Name: "force"}, {Name: "recursive"}, {Name: "max_depth"}, {Name: "by_heading"}, {Name: "dry_run"}, {Name: "model"}, {Name: "provider"},
			},
			Op: toolset.Operation(author.Split),
		},
		{
			Name: "chant_approve", Title: "Approve spec", Effect: toolset.Adds, NextOp: next.Approve,
			Text:   "Approve a spec, or the work on it once completed",
			Params: []toolset.Param{id, {Name: "by"}}, Op: toolset.Operation(review.Approve),
		},
		{
			Name: "chant_reject", Title: "Reject spec", Effect: toolset.Adds, NextOp: next.Reject,
			Text:   "Reject a spec, or the work on it, with a reason",
			Params: []toolset.Param{id, {Name: "reason"}, {Name: "by"}, {Name: "action"}}, Op: toolset.Operation(review.Reject),
		},
		{
			Name: "chant_derive", Title: "Derive fields", Effect: toolset.Adds, NextOp: next.Derive,
			Text:   "Fill in the front-matter keys that the project derives",
			Params: []toolset.Param{id, {Name: "all"}, {Name: "dry_run"}}, Op: toolset.Operation(author.Derive),
		},
		{
			Name: "chant_drift", Title: "Drift", Effect: toolset.Reads, NextOp: next.Drift,
			Text:   "Tell which completed specs no longer fit the files they depend on",
			Params: []toolset.Param{{Name: "ids"}, {Name: "at"}, {Name: "archived"}, {Name: "limit"}}, Op: toolset.Operation(drift),
		},
		{
			Name: "chant_plan_accept", Title: "Accept plan", Effect: toolset.Adds, NextOp: next.PlanAccept,
			Text:   "Write the specs of a plan, in one commit",
			Params: []toolset.Param{id}, Op: toolset.Operation(planning.Accept),
		},
	}
}
