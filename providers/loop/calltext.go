package loop

import (
	"encoding/json"
	"strings"
)

// parseCallText parses a text that is nothing but a call: an object with name and
// arguments of a known tool, bare or in a fence.
func parseCallText(text string, known func(name string) bool) []call {
	var said struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	// Small models write a call as text. Only a text that is nothing but a call counts: JSON within prose may be an example.
	if json.Unmarshal([]byte(fenceContent(text)), &said) != nil || !known(said.Name) {
		return nil
	}
	input := unquoteArguments(said.Arguments)
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(input), &fields) != nil {
		return nil
	}
	return []call{{Tool: said.Name, Input: input}}
}

// fenceContent is the content of the only fence in a text: the whole text, or the fence with
// its JSON.
func fenceContent(text string) string {
	text = strings.TrimSpace(text)
	_, inside, opened := strings.Cut(text, "```json\n")
	if !opened && strings.HasPrefix(text, "```\n") {
		inside, opened = strings.CutPrefix(text, "```\n")
	}
	inside, after, closed := strings.Cut(inside, "\n```")
	// With a second fence, the text is an explanation.
	if !opened || !closed || strings.Contains(after, "```") {
		return text
	}
	return inside
}

// unquoteArguments returns the JSON of arguments, which some servers send as a string of JSON.
func unquoteArguments(arguments json.RawMessage) string {
	var text string
	if json.Unmarshal(arguments, &text) == nil {
		return text
	}
	return string(arguments)
}
