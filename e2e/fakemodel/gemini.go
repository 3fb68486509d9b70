package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"
)

// gemini is Google's generateContent. Its model and whether it streams are in
// the path.
func gemini() form {
	return form{
		parse:   parseGemini,
		whole:   func(r Request, a answer) any { return geminiReply(r, a, geminiParts(a), true) },
		stream:  streamGemini,
		failure: geminiFailure, refusals: geminiRefusals,
		media:   eventStream,
		caching: cacheReads,
	}
}

// geminiPart is a text, a call or the answer to a call.
type geminiPart struct {
	Text     string          `json:"text,omitempty"`
	Call     *geminiCall     `json:"functionCall,omitempty"`
	Response *geminiResponse `json:"functionResponse,omitempty"`
}

type geminiCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type geminiResponse struct {
	ID       string                     `json:"id"`
	Response map[string]json.RawMessage `json:"response"`
}

func parseGemini(r *Request) error {
	var w struct {
		Tools []struct {
			Functions []function `json:"functionDeclarations"`
		} `json:"tools"`
		Contents []struct {
			Role  string       `json:"role"`
			Parts []geminiPart `json:"parts"`
		} `json:"contents"`
	}
	if err := json.Unmarshal(r.Body, &w); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if len(w.Contents) == 0 {
		return errIncomplete
	}
	name, verb, _ := strings.Cut(path.Base(r.Path), ":")
	r.Model, r.Stream = name, strings.HasPrefix(verb, "stream")
	for _, t := range w.Tools {
		for _, f := range t.Functions {
			r.Tools = append(r.Tools, f.Name)
		}
	}
	for _, c := range w.Contents {
		for _, p := range c.Parts {
			switch {
			case p.Response != nil:
				r.Results = append(r.Results, p.Response.result())
			case c.Role != "model":
				r.addPrompt(p.Text)
			}
		}
	}
	return nil
}

// result reads the fields that the API names for what a function gives; any other
// answer is kept as its JSON.
func (g geminiResponse) result() Result {
	for _, name := range []string{"error", "output"} {
		var text string
		if src, ok := g.Response[name]; ok {
			if json.Unmarshal(src, &text) != nil {
				text = string(src)
			}
			return Result{g.ID, text, name == "error"}
		}
	}
	// It came out of JSON.
	src, _ := json.Marshal(g.Response)
	return Result{CallID: g.ID, Text: string(src)}
}

func geminiParts(a answer) []geminiPart {
	var parts []geminiPart
	if a.hasText() {
		parts = append(parts, geminiPart{Text: a.text})
	}
	for _, c := range a.calls {
		parts = append(parts, geminiPart{Call: &geminiCall{"call_" + c.id, c.name, c.input}})
	}
	return parts
}

// streamGemini cuts texts and leaves calls whole.
func streamGemini(r Request, a answer) *stream {
	s := &stream{}
	for _, text := range pieces(a.text) {
		s.data(geminiReply(r, a, []geminiPart{{Text: text}}, false))
	}
	rest := a
	rest.text = ""
	// Calls come whole, as the API sends them.
	s.data(geminiReply(r, a, geminiParts(rest), true))
	return s
}

// geminiReply counts as the API does: promptTokenCount includes what was cached.
func geminiReply(r Request, a answer, parts []geminiPart, last bool) map[string]any {
	candidate := map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": parts}}
	u := a.usage
	// The API counts what was cached as part of the prompt.
	prompt := u.Input + u.CachedInput
	told := map[string]int{"promptTokenCount": prompt, "totalTokenCount": prompt}
	if last {
		candidate["finishReason"] = "STOP"
		told["cachedContentTokenCount"], told["candidatesTokenCount"], told["totalTokenCount"] = u.CachedInput, u.Output, prompt+u.Output
	}
	return map[string]any{
		"candidates": []any{candidate}, "usageMetadata": told,
		"modelVersion": r.Model, "responseId": fmt.Sprintf("resp_%04d", a.turn),
	}
}

func geminiFailure(status int, text string) any {
	name := "INTERNAL"
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		name = "INVALID_ARGUMENT"
	case http.StatusUnauthorized:
		name = "UNAUTHENTICATED"
	case http.StatusForbidden:
		name = "PERMISSION_DENIED"
	case http.StatusNotFound:
		name = "NOT_FOUND"
	case http.StatusTooManyRequests:
		name = "RESOURCE_EXHAUSTED"
	case http.StatusServiceUnavailable:
		name = "UNAVAILABLE"
	}
	return map[string]any{"error": map[string]any{"code": status, "message": text, "status": name}}
}
