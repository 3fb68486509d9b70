package fakemodel

import (
	"encoding/json"
	"fmt"
)

// ollama is the chat of an Ollama server, which streams unless the request says otherwise.
func ollama() form {
	return form{
		parse: parseOllama, whole: wholeOllama, stream: streamOllama,
		failure: func(_ int, text string) any { return map[string]string{"error": text} }, refusals: ollamaRefusals,
		media:   "application/x-ndjson",
		caching: noCache,
	}
}

func parseOllama(r *Request) error {
	w := struct {
		Model    string                        `json:"model"`
		Stream   bool                          `json:"stream"`
		Tools    []struct{ Function function } `json:"tools"`
		Messages []struct{ Role, Content string }
	}{Stream: true}
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
			r.addPrompt(m.Content)
		case "tool":
			r.Results = append(r.Results, Result{Text: m.Content})
		}
	}
	return nil
}

// ollamaCall has its input as an object, not as text.
type ollamaCall struct {
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

func wholeOllama(r Request, a answer) any {
	return ollamaEnd(r, a.usage, ollamaMessage(a.text, a.calls))
}

func streamOllama(r Request, a answer) *stream {
	s := &stream{}
	for _, text := range pieces(a.text) {
		s.line(ollamaPiece(r, ollamaMessage(text, nil)))
	}
	for _, c := range a.calls {
		s.line(ollamaPiece(r, ollamaMessage("", []made{c})))
	}
	s.line(ollamaEnd(r, a.usage, ollamaMessage("", nil)))
	return s
}

func ollamaPiece(r Request, message any) map[string]any {
	return map[string]any{"model": r.Model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": false}
}

func ollamaMessage(text string, calls []made) map[string]any {
	m := map[string]any{"role": "assistant", "content": text}
	var list []ollamaCall
	for _, c := range calls {
		var call ollamaCall
		call.Function.Name, call.Function.Arguments = c.name, c.input
		list = append(list, call)
	}
	if list != nil {
		m["tool_calls"] = list
	}
	return m
}

// ollamaEnd is the last piece, or the only one. It knows nothing of a cache.
func ollamaEnd(r Request, u Usage, message any) map[string]any {
	return map[string]any{
		"model": r.Model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": true, "done_reason": "stop",
		"total_duration": 1000, "load_duration": 100, "prompt_eval_duration": 300, "eval_duration": 600, // in ns
		"prompt_eval_count": u.Input, "eval_count": u.Output,
	}
}
