package fakemodel

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Request is what a client sent. Everything below Body is empty unless it asks
// for an answer of the model.
type Request struct {
	Method, Path string // Path has no query
	Body         []byte

	Model   string
	Stream  bool
	Tools   []string // names of the tools offered, NAMESPACE.NAME if they are in one
	Prompt  string   // texts of all user messages, a line between them
	Results []Result // answers to calls, oldest first

	Usage Usage // as the answer reported it; zero until one was sent completely
}

// Result is what a tool answered to one call.
type Result struct {
	CallID  string // empty where the API has none
	Text    string
	IsError bool // false where the API does not tell
}

// errIncomplete says what no form can do without.
var errIncomplete = errors.New("body: model and messages are required")

// addPrompt adds a text of the user.
func (r *Request) addPrompt(text string) {
	if r.Prompt != "" && text != "" {
		r.Prompt += "\n"
	}
	r.Prompt += text
}

// content is a list of blocks; a bare string is one block of text.
type content []block

type block struct {
	Type      string  `json:"type"`
	Text      string  `json:"text"`
	ToolUseID string  `json:"tool_use_id"`
	IsError   bool    `json:"is_error"`
	Content   content `json:"content"`
}

func (c *content) UnmarshalJSON(src []byte) error {
	// A bare string is one block of text.
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

// text joins the blocks that are text, by whichever name the API has for them.
func (c content) text() string {
	var texts []string
	for _, b := range c {
		switch b.Type {
		case "text", "input_text", "output_text":
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// function is how all APIs but Anthropic's offer a tool.
type function struct {
	Name string `json:"name"`
}
