package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// anthropic is the Messages API.
func anthropic() form {
	return form{
		parse:   parseMessages,
		whole:   func(r Request, a answer) any { return newMessage(r, a) },
		stream:  streamMessage,
		failure: anthropicFailure, refusals: anthropicRefusals,
		media:   eventStream,
		caching: cacheBoth,
	}
}

func parseMessages(r *Request) error {
	var w struct {
		Model    string     `json:"model"`
		Stream   bool       `json:"stream"`
		Tools    []function `json:"tools"`
		Messages []struct {
			Role    string
			Content content
		}
	}
	if err := json.Unmarshal(r.Body, &w); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if w.Model == "" || len(w.Messages) == 0 {
		return errIncomplete
	}
	r.Model, r.Stream = w.Model, w.Stream
	for _, t := range w.Tools {
		r.Tools = append(r.Tools, t.Name)
	}
	for _, m := range w.Messages {
		if m.Role != "user" {
			continue
		}
		r.addPrompt(m.Content.text())
		for _, b := range m.Content {
			if b.Type == "tool_result" {
				r.Results = append(r.Results, Result{b.ToolUseID, b.Content.text(), b.IsError})
			}
		}
	}
	return nil
}

// message is an answer, whole. Its blocks are either text or tool_use.
type message struct {
	ID           string         `json:"id"`
	Type         string         `json:"type"`
	Role         string         `json:"role"`
	Model        string         `json:"model"`
	Content      []replyBlock   `json:"content"`
	StopReason   *string        `json:"stop_reason"` // null at the start of a stream
	StopSequence *string        `json:"stop_sequence"`
	Usage        anthropicUsage `json:"usage"`
}

type replyBlock struct {
	Type  string          `json:"type"`
	Text  *string         `json:"text,omitempty"`
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

// anthropicUsage counts as we do: Input excludes both kinds of cache.
type anthropicUsage struct {
	Input       int `json:"input_tokens"`
	CacheWrites int `json:"cache_creation_input_tokens"`
	CacheReads  int `json:"cache_read_input_tokens"`
	Output      int `json:"output_tokens"`
}

func newMessage(r Request, a answer) message {
	stop := "end_turn"
	var blocks []replyBlock
	if a.hasText() {
		blocks = append(blocks, replyBlock{Type: "text", Text: &a.text})
	}
	for _, c := range a.calls {
		stop = "tool_use"
		blocks = append(blocks, replyBlock{Type: "tool_use", ID: "toolu_" + c.id, Name: c.name, Input: c.input})
	}
	u := a.usage
	return message{
		ID: fmt.Sprintf("msg_%04d", a.turn), Type: "message", Role: "assistant", Model: r.Model,
		Content: blocks, StopReason: &stop, Usage: anthropicUsage{u.Input, u.CacheWrites, u.CachedInput, u.Output},
	}
}

// streamMessage keeps the order that the API fixes: message_start, each block as
// start, deltas and stop, message_delta with the final usage, message_stop.
func streamMessage(r Request, a answer) *stream {
	m, s := newMessage(r, a), &stream{}
	start := m
	// The API sends the first message without content, and counts one token of output.
	start.Content, start.StopReason, start.Usage.Output = []replyBlock{}, nil, 1
	s.named("message_start", map[string]any{"message": start})
	s.named("ping", map[string]any{})
	for i, b := range m.Content {
		streamBlock(s, i, b)
	}
	s.named("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": m.StopReason, "stop_sequence": m.StopSequence},
		"usage": m.Usage,
	})
	s.named("message_stop", map[string]any{})
	return s
}

func streamBlock(s *stream, i int, b replyBlock) {
	head := b
	kind, field, whole := "input_json_delta", "partial_json", string(b.Input)
	if b.Text != nil {
		kind, field, whole = "text_delta", "text", *b.Text
		head.Text = new(string)
	} else {
		// The API begins each block with an empty value.
		head.Input = json.RawMessage("{}")
	}
	s.named("content_block_start", map[string]any{"index": i, "content_block": head})
	for _, piece := range pieces(whole) {
		s.named("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": kind, field: piece}})
	}
	s.named("content_block_stop", map[string]any{"index": i})
}

func anthropicFailure(status int, text string) any {
	kind := "api_error"
	switch status {
	case http.StatusBadRequest:
		kind = "invalid_request_error"
	case http.StatusUnauthorized:
		kind = "authentication_error"
	case http.StatusForbidden:
		kind = "permission_error"
	case http.StatusNotFound:
		kind = "not_found_error"
	case http.StatusTooManyRequests:
		kind = "rate_limit_error"
	// The API's own status, "overloaded".
	case 529:
		kind = "overloaded_error"
	}
	return map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": text}}
}
