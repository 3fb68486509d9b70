package tools

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/author/planning"
	"chant/engine/spec/next"
	"chant/mcp/toolset"
)

// Plans is the toolset "plan". A plan is accepted by a person, or by the toolset "review".
func Plans() toolset.Set {
	id, provider, model := toolset.Param{Name: "id"}, toolset.Param{Name: "provider"}, toolset.Param{Name: "model"}
	return toolset.Set{
		Name: "plan", About: "specs for an idea, drafted and tried by an agent", Instructions: planInstructions,
		Tools: []toolset.Tool{
			{
				Name: "chant_plan", Title: "Plan an idea", Effect: toolset.Executes, Slow: toolset.Always, Task: true,
				Text:   "Have an agent draft specs for an idea, whose criteria are run before you see them. Takes minutes",
				Params: []toolset.Param{{Name: "idea"}, {Name: "from_issue"}, {Name: "from_todo"}, {Name: "from_drift"}, provider, model}, Op: toolset.Operation(plan),
			},
			{
				Name: "chant_plan_revise", Title: "Revise plan", Effect: toolset.Executes, Slow: toolset.Always, Task: true, NextOp: next.PlanRevise,
				Text:   "Have an agent change a plan; what is in work or done stays",
				Params: []toolset.Param{id, {Name: "request"}, provider, model}, Op: toolset.Operation(revise),
			},
			{
				Name: "chant_plan_show", Title: "Show plan", Effect: toolset.Reads, NextOp: next.PlanShow,
				Text:   "Read a plan: its specs, and how each criterion ended",
				Params: []toolset.Param{id}, Op: toolset.Operation(planning.Show),
			},
		},
	}
}

const planInstructions = `chant_plan drafts specs for an idea and runs their criteria: red fails as it must until the work is done, guard has to keep holding.
Show the person specs and questions, and have chant_plan_revise change what they want different. Accepting a plan is their decision.`

func plan(ctx context.Context, p *engine.Project, in planning.PlanInput) (planning.PlanResult, error) {
	in.Decide = askPerson(ctx)
	return planning.Plan(ctx, p, in)
}

func revise(ctx context.Context, p *engine.Project, in planning.ReviseInput) (planning.PlanResult, error) {
	in.Decide = askPerson(ctx)
	return planning.Revise(ctx, p, in)
}

// askPerson asks what an agent wants to know by forms; nil for a client that shows none, where the proposed answers count.
func askPerson(ctx context.Context) func(context.Context, []planning.Question) ([]string, error) {
	people := toolset.PeopleOf(ctx)
	if people == nil || !people.Elicits() {
		return nil
	}
	return func(ctx context.Context, asked []planning.Question) ([]string, error) {
		var out []string
		for _, q := range asked {
			text := fmt.Sprintf("%s\nWithout an answer: %s", q.Question, q.Proposed)
			said, given, err := "", false, error(nil)
			people.AwaitInput(text, func() { said, given, err = people.Elicit(ctx, text) })
			switch {
			case ctx.Err() != nil:
				return nil, context.Cause(ctx)
			// A form that is declined, or that the client cannot show after all, leaves the proposed answer.
			case err != nil || !given:
				said = ""
			}
			out = append(out, said)
		}
		return out, nil
	}
}
