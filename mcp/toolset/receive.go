package toolset

import (
	"context"
	"encoding/json"
	"fmt"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/work/questions"
)

// Receive returns what is added to the reply to a call of a tool: a text for each answer that waits for the agent which
// made the call, and the result with the answers as one more member. The agent has received them then.
func Receive(ctx context.Context, p *engine.Project, t Tool, result any) (texts []string, with any, err error) {
	// The call that answers a question is not by the one who has asked it.
	if p == nil || p.Store == nil || t.NextOp == next.Answer {
		return nil, result, nil
	}
	received, err := questions.Receive(ctx, p)
	if err != nil || len(received) == 0 {
		return nil, result, err
	}
	for _, r := range received {
		texts = append(texts, fmt.Sprintf("Answer to your question %d (%q): %s", r.Question, r.Prompt, r.Answer))
	}
	if more, ok := withMember(result, "answers", received); ok {
		return texts, more, nil
	}
	return texts, result, nil
}

// withMember returns a value as JSON with one more member at its end; false for what is no object.
func withMember(value any, name string, member any) (json.RawMessage, bool) {
	object, err := json.Marshal(value)
	more, failed := json.Marshal(map[string]any{name: member})
	if err != nil || failed != nil || len(object) < 2 || object[0] != '{' {
		return nil, false
	}
	if len(object) == len("{}") {
		return more, true
	}
	// The member is added to the text, since decoding the object would lose the order of its members.
	return append(append(object[:len(object)-1], ','), more[1:]...), true
}
