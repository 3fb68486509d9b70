package fakemodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// responses is OpenAI's Responses API.
func responses() form {
	return form{
		parse: parseResponses, whole: wholeResponse, stream: streamResponse,
		failure: openaiFailure, refusals: openaiRefusals, media: eventStream, caching: cacheBoth,
	}
}

// offered is a tool, or a namespace with tools in it.
type offered struct {
	Type, Name string
	Tools      []function
}

// item is one entry of a request's input, as far as it matters here.
type item struct {
	Type    string  `json:"type"`
	Role    string  `json:"role"`
	Content content `json:"content"`
	CallID  string  `json:"call_id"`
	Output  content `json:"output"`
}

func parseResponses(r *Request) error {
	var w struct {
		Model  string          `json:"model"`
		Stream bool            `json:"stream"`
		Tools  []offered       `json:"tools"`
		Input  json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal(r.Body, &w); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if w.Model == "" || len(w.Input) == 0 {
		return errIncomplete
	}
	r.Model, r.Stream = w.Model, w.Stream
	for _, t := range w.Tools {
		if t.Type != "namespace" {
			r.Tools = append(r.Tools, t.Name)
		}
		for _, inner := range t.Tools {
			r.Tools = append(r.Tools, t.Name+"."+inner.Name)
		}
	}
	if bytes.HasPrefix(w.Input, []byte(`"`)) {
		return json.Unmarshal(w.Input, &r.Prompt)
	}
	var items []item
	if err := json.Unmarshal(w.Input, &items); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	for _, i := range items {
		switch {
		case i.Role == "user":
			r.addPrompt(i.Content.text())
		case strings.HasSuffix(i.Type, "_call_output"):
			r.Results = append(r.Results, Result{CallID: i.CallID, Text: i.Output.text()})
		}
	}
	return nil
}

func wholeResponse(r Request, a answer) any {
	output := []any{}
	if a.hasText() {
		output = append(output, textItem(a, a.text))
	}
	for _, c := range a.calls {
		output = append(output, callItem(c, string(c.input)))
	}
	out := responseHead(r, a, "completed")
	out["output"], out["usage"] = output, responseUsage(a.usage)
	return out
}

// streamResponse names each thing it begins and ends, and gives all of it once
// more at the end.
func streamResponse(r Request, a answer) *stream {
	s, n := &stream{}, 0
	event := func(name string, data map[string]any) {
		data["sequence_number"] = n
		n++
		s.named("response."+name, data)
	}
	event("created", map[string]any{"response": responseHead(r, a, "in_progress")})
	event("in_progress", map[string]any{"response": responseHead(r, a, "in_progress")})
	index := 0
	if a.hasText() {
		streamText(event, a)
		index++
	}
	for _, c := range a.calls {
		at := map[string]any{"output_index": index, "item_id": "fc_" + c.id}
		event("output_item.added", withKey(at, "item", callItem(c, "")))
		for _, piece := range pieces(string(c.input)) {
			event("function_call_arguments.delta", withKey(at, "delta", piece))
		}
		event("function_call_arguments.done", withKey(at, "arguments", string(c.input)))
		event("output_item.done", withKey(at, "item", callItem(c, string(c.input))))
		index++
	}
	event("completed", map[string]any{"response": wholeResponse(r, a)})
	return s
}

func streamText(event func(string, map[string]any), a answer) {
	item := map[string]any{"output_index": 0, "item_id": textItem(a, "")["id"]}
	part := withKey(item, "content_index", 0)
	event("output_item.added", withKey(item, "item", textItem(a, "")))
	event("content_part.added", withKey(part, "part", textPart("")))
	for _, piece := range pieces(a.text) {
		event("output_text.delta", withKey(part, "delta", piece))
	}
	event("output_text.done", withKey(part, "text", a.text))
	event("content_part.done", withKey(part, "part", textPart(a.text)))
	event("output_item.done", withKey(item, "item", textItem(a, a.text)))
}

func withKey(m map[string]any, name string, v any) map[string]any {
	// A copy, because the caller adds other keys to the same map.
	m = maps.Clone(m)
	m[name] = v
	return m
}

func responseHead(r Request, a answer, status string) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("resp_%04d", a.turn), "object": "response", "created_at": epoch,
		"model": r.Model, "status": status, "error": nil, "output": []any{}, "usage": nil,
	}
}

func textItem(a answer, text string) map[string]any {
	return map[string]any{
		"type": "message", "id": fmt.Sprintf("msg_%04d", a.turn), "role": "assistant", "status": "completed",
		"content": []any{textPart(text)},
	}
}

func textPart(text string) map[string]any {
	return map[string]any{"type": "output_text", "text": text, "annotations": []any{}}
}

func callItem(c made, arguments string) map[string]any {
	item := map[string]any{
		"type": "function_call", "id": "fc_" + c.id, "call_id": "call_" + c.id, "status": "completed",
		"name": c.name, "arguments": arguments,
	}
	if namespace, name, ok := strings.Cut(c.name, "."); ok {
		item["namespace"], item["name"] = namespace, name
	}
	return item
}

// responseUsage counts as the API does: input_tokens includes both kinds of cache.
func responseUsage(u Usage) map[string]any {
	input := u.Input + u.CachedInput + u.CacheWrites
	return map[string]any{
		"input_tokens": input, "output_tokens": u.Output, "total_tokens": input + u.Output,
		"input_tokens_details":  map[string]int{"cached_tokens": u.CachedInput, "cache_write_tokens": u.CacheWrites},
		"output_tokens_details": map[string]int{"reasoning_tokens": 0},
	}
}
