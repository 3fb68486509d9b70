package fakemodel

import (
	"encoding/json"
	"fmt"
)

// chat is OpenAI's Chat Completions, which most other servers have too.
func chat() form {
	return form{
		parse: parseChat, whole: wholeChat, stream: streamChat,
		failure: openaiFailure, refusals: openaiRefusals, media: eventStream, caching: cacheReads,
	}
}

func parseChat(r *Request) error {
	var w struct {
		Model    string                        `json:"model"`
		Stream   bool                          `json:"stream"`
		Tools    []struct{ Function function } `json:"tools"`
		Messages []struct {
			Role    string  `json:"role"`
			Content content `json:"content"`
			CallID  string  `json:"tool_call_id"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(r.Body, &w); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if w.Model == "" || len(w.Messages) == 0 {
		return errIncomplete
	}
	r.Model, r.Stream = w.Model, w.Stream
	for _, t := range w.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	for _, m := range w.Messages {
		switch m.Role {
		case "user":
			r.addPrompt(m.Content.text())
		case "tool":
			r.Results = append(r.Results, Result{CallID: m.CallID, Text: m.Content.text()})
		}
	}
	return nil
}

type chatCall struct {
	Index    *int         `json:"index,omitempty"` // in streams alone
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

func wholeChat(r Request, a answer) any {
	m := map[string]any{"role": "assistant", "content": nil}
	if a.hasText() {
		m["content"] = a.text
	}
	var calls []chatCall
	for _, c := range a.calls {
		calls = append(calls, chatCall{ID: "call_" + c.id, Type: "function", Function: chatFunction{c.name, string(c.input)}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	out := chatHead(r, a, "chat.completion")
	out["choices"] = []any{map[string]any{"index": 0, "message": m, "finish_reason": chatStop(a), "logprobs": nil}}
	out["usage"] = chatUsage(a.usage)
	return out
}

// streamChat ends with the usage in a piece without a choice, as the API does for
// those who ask for it in stream_options.
func streamChat(r Request, a answer) *stream {
	s := &stream{}
	piece := func(delta map[string]any, stop any) {
		out := chatHead(r, a, "chat.completion.chunk")
		out["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": stop}}
		s.data(out)
	}
	piece(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, text := range pieces(a.text) {
		piece(map[string]any{"content": text}, nil)
	}
	for i, c := range a.calls {
		// The first piece of a call has its name, the others only parts of its input.
		head := chatCall{&i, "call_" + c.id, "function", chatFunction{Name: c.name}}
		piece(map[string]any{"tool_calls": []any{head}}, nil)
		for _, text := range pieces(string(c.input)) {
			piece(map[string]any{"tool_calls": []any{chatCall{Index: &i, Function: chatFunction{Arguments: text}}}}, nil)
		}
	}
	piece(map[string]any{}, chatStop(a))
	// The API sends usage in a piece of its own, and only to those who ask for it.
	if wantsUsage(r) {
		last := chatHead(r, a, "chat.completion.chunk")
		last["choices"], last["usage"] = []any{}, chatUsage(a.usage)
		s.data(last)
	}
	s.parts = append(s.parts, []byte("data: [DONE]\n\n"))
	return s
}

func wantsUsage(r Request) bool {
	var w struct {
		Options struct {
			Usage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	return json.Unmarshal(r.Body, &w) == nil && w.Options.Usage
}

func chatHead(r Request, a answer, object string) map[string]any {
	return map[string]any{"id": fmt.Sprintf("chatcmpl-%04d", a.turn), "object": object, "created": epoch, "model": r.Model}
}

func chatStop(a answer) string {
	if len(a.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

// chatUsage counts as the API does: prompt_tokens includes what was cached.
func chatUsage(u Usage) map[string]any {
	prompt := u.Input + u.CachedInput
	return map[string]any{
		"prompt_tokens": prompt, "completion_tokens": u.Output, "total_tokens": prompt + u.Output,
		"prompt_tokens_details": map[string]int{"cached_tokens": u.CachedInput},
	}
}
