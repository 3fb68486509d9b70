package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"chant/mcp/taskrun"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// people is the person at the client of a call.
type people struct {
	session *session
	task    *taskrun.Entry // nil for a call that is not made as a task
	meta    map[string]any // what relates a request to the task
}

// Elicits implements toolset.People.
func (p people) Elicits() bool { return p.session.elicits.Load() && p.session.send != nil }

// elicitForm reports whether a client has declared that it can show forms. Without a mode it can.
func elicitForm(c mcpgo.ClientCapabilities) bool {
	return c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// Elicit implements toolset.People.
func (p people) Elicit(ctx context.Context, prompt string) (string, bool, error) {
	params := map[string]any{
		"message": prompt,
		"requestedSchema": map[string]any{
			"type": "object", "required": []string{"answer"},
			"properties": map[string]any{"answer": map[string]string{"type": "string", "title": "Answer"}},
		},
	}
	if p.task != nil {
		params["_meta"] = p.meta
	}
	raw, err := p.session.ask(ctx, string(mcpgo.MethodElicitationCreate), params)
	if err != nil {
		return "", false, err
	}
	var reply struct {
		Action  mcpgo.ElicitationResponseAction `json:"action"`
		Content struct {
			Answer string `json:"answer"`
		} `json:"content"`
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return "", false, fmt.Errorf("the client's reply to a form cannot be read: %w", err)
	}
	// An empty answer is none, whatever button was pressed.
	given := reply.Action == mcpgo.ElicitationResponseActionAccept && strings.TrimSpace(reply.Content.Answer) != ""
	return reply.Content.Answer, given, nil
}

// Waits implements toolset.People.
func (p people) Waits() bool { return p.task != nil }

// AwaitInput implements toolset.People.
func (p people) AwaitInput(prompt string, wait func()) {
	if p.task == nil {
		wait()
		return
	}
	p.task.AwaitInput(prompt, wait)
}

// TakenBack implements toolset.People.
func (p people) TakenBack(ctx context.Context) bool {
	return p.task != nil && errors.Is(context.Cause(ctx), taskrun.ErrWithdrawn)
}
