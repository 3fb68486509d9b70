package tools

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/spec/next"
	"chant/engine/work/node"
	"chant/engine/work/questions"

	"chant/mcp/toolset"
)

// questionTools lists the tools about questions of agents to people.
func questionTools() []toolset.Tool {
	return []toolset.Tool{
		{
			Name: "chant_ask", Title: "Ask a person", Effect: toolset.Adds, Slow: toolset.Always, Task: true,
			Text:   "Ask a person what only a person can decide. Go on meanwhile; the reply of a later call brings the answer",
			Params: []toolset.Param{{Name: "prompt"}}, Op: toolset.WithText(ask, askText),
		},
		{
			Name: "chant_answer", Title: "Answer a question", Effect: toolset.Adds, NextOp: next.Answer,
			Text:   "Answer a question that the agent of a run has asked; chant_status lists them",
			Params: []toolset.Param{{Name: "id", Text: "Spec ID (full or partial)"}, {Name: "text"}, {Name: "question", Text: "Number of the question, if several are open"}}, Op: toolset.Operation(answer),
		},
	}
}

// ask asks, and waits where the client does.
func ask(ctx context.Context, p *engine.Project, in questions.AskInput) (toolset.Reply, error) {
	r, err := questions.Ask(ctx, p, in)
	if err != nil {
		return toolset.Reply{}, err
	}
	return toolset.Await(ctx, p, r)
}

func askText(_ questions.AskInput, r toolset.Reply) (string, error) {
	if text := r.Text(); text != "" {
		return text, nil
	}
	return fmt.Sprintf("Question %d is open. Go on with what does not depend on it; ask again to see whether it was answered", r.Question), nil
}

func answer(ctx context.Context, p *engine.Project, in questions.AnswerInput) (questions.AnswerResult, error) {
	in.How = question.ByTool
	return node.Answer(ctx, p, in)
}
