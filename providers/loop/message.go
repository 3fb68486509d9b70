package loop

import (
	"encoding/json"

	"chant/providers"
)

// The roles of messages.
const (
	fromUser  = "user"
	fromModel = "assistant"
	fromTools = "tool"
)

// message is a piece of the conversation, the same for every wire form and in the
// transcript. Only the model's has calls, only the tools' has results.
type message struct {
	Role    string   `json:"role"`
	Text    string   `json:"text,omitempty"`
	Calls   []call   `json:"calls,omitempty"`
	Results []result `json:"results,omitempty"`
}

// call is a use of a tool that the model asks for. Input is what it wrote, which need not be
// JSON.
type call struct {
	ID    string `json:"id"`
	Tool  string `json:"tool"`
	Input string `json:"input"`
}

// object is the input as the wire forms want to see it again: what was no object is
// sent back as an empty one, and its result says so.
func (c call) object() json.RawMessage {
	var fields map[string]json.RawMessage
	// The APIs refuse a call whose arguments are not an object; its result says so to the model.
	if json.Unmarshal([]byte(c.Input), &fields) != nil || fields == nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(c.Input)
}

// result is the answer of a tool to one call.
type result struct {
	ID    string `json:"id"`
	Tool  string `json:"tool"`
	Text  string `json:"text"`
	Error bool   `json:"error,omitempty"`
	Gone  bool   `json:"-"` // Text is only a note that it was dropped
}

// conversation is the input of the model.
type conversation struct {
	System   string
	Messages []message
	Tools    []Tool
}

// answer is a complete answer of the model.
type answer struct {
	Text    string
	Calls   []call
	Model   string // "" when the server did not say
	Cut     bool   // it ran into the limit of one answer
	Paused  bool   // it is to go on where it is when it is sent again
	Refused string // the words of model or server for that it would not answer, or not to the end
	Usage   providers.Usage
	Sent    int // bytes of the request
}

// read returns the number of tokens that the model read.
func (a answer) read() int { return a.Usage.Total() - a.Usage.Output }
