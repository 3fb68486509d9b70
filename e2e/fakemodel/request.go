package fakemodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Request is what a client sent. Everything below Body is empty unless the body
// is that of a messages request.
type Request struct {
	Method, Path string // Path has no query
	Body         []byte

	Model   string
	Stream  bool
	Tools   []string // names of the tools offered
	Prompt  string   // texts of all user messages, a line between them
	Results []Result // answers to calls, oldest first
}

// Result is what a tool answered to one call.
type Result struct {
	CallID  string
	Text    string
	IsError bool
}

// wire is the part of a messages request that matters here.
type wire struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Tools    []struct{ Name string }
	Messages []struct {
		Role    string
		Content content
	}
}

// content is a list of blocks; a bare string stands for one block of text.
type content []block

type block struct {
	Type      string  `json:"type"`
	Text      string  `json:"text"`
	ToolUseID string  `json:"tool_use_id"`
	IsError   bool    `json:"is_error"`
	Content   content `json:"content"`
}

func (c *content) UnmarshalJSON(src []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte(`"`)) {
		var text string
		if err := json.Unmarshal(src, &text); err != nil {
			return err
		}
		*c = content{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(src, (*[]block)(c))
}

// text joins the blocks that are text.
func (c content) text() string {
	var texts []string
	for _, b := range c {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// parse fills in what the body of a messages request says.
func (r *Request) parse() error {
	var w wire
	if err := json.Unmarshal(r.Body, &w); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if w.Model == "" || len(w.Messages) == 0 {
		return fmt.Errorf("body: model and messages are required")
	}
	r.Model, r.Stream = w.Model, w.Stream
	for _, t := range w.Tools {
		r.Tools = append(r.Tools, t.Name)
	}
	var texts []string
	for _, m := range w.Messages {
		if m.Role != "user" {
			continue
		}
		if text := m.Content.text(); text != "" {
			texts = append(texts, text)
		}
		for _, b := range m.Content {
			if b.Type == "tool_result" {
				r.Results = append(r.Results, Result{b.ToolUseID, b.Content.text(), b.IsError})
			}
		}
	}
	r.Prompt = strings.Join(texts, "\n")
	return nil
}
