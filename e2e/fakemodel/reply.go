package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// bytesPerToken is the usual rule of thumb for English and code.
const bytesPerToken = 4

// message is the model's answer, whole. Its blocks are either text or tool_use.
type message struct {
	ID           string       `json:"id"`
	Type         string       `json:"type"`
	Role         string       `json:"role"`
	Model        string       `json:"model"`
	Content      []replyBlock `json:"content"`
	StopReason   *string      `json:"stop_reason"` // null at the start of a stream
	StopSequence *string      `json:"stop_sequence"`
	Usage        usage        `json:"usage"`
}

type replyBlock struct {
	Type  string          `json:"type"`
	Text  *string         `json:"text,omitempty"`
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

// usage counts tokens as the API does: Input excludes both kinds of cache.
type usage struct {
	Input       int `json:"input_tokens"`
	CacheWrites int `json:"cache_creation_input_tokens"`
	CacheReads  int `json:"cache_read_input_tokens"`
	Output      int `json:"output_tokens"`
}

// reply turns a turn of the script into a message.
func reply(r Request, t Turn, turn int) (message, error) {
	stop := "end_turn"
	var blocks []replyBlock
	if t.Text != "" || len(t.Calls) == 0 {
		blocks = append(blocks, replyBlock{Type: "text", Text: &t.Text})
	}
	size := len(t.Text)
	for i, c := range t.Calls {
		stop = "tool_use"
		input := []byte("{}")
		if c.Input != nil {
			var err error
			if input, err = json.Marshal(c.Input); err != nil {
				return message{}, fmt.Errorf("input of %q: %w", c.Name, err)
			}
		}
		size += len(c.Name) + len(input)
		blocks = append(blocks, replyBlock{Type: "tool_use", ID: callID(turn, i), Name: c.Name, Input: input})
	}
	return message{
		ID: fmt.Sprintf("msg_%04d", turn), Type: "message", Role: "assistant", Model: r.Model,
		Content: blocks, StopReason: &stop, Usage: measure(r, size),
	}, nil
}

// measure gives usage as a growing conversation has it: the first request fills
// the cache, later ones read most of what they send from it.
func measure(r Request, size int) usage {
	sent := len(r.Body)/bytesPerToken + 1
	u := usage{Input: sent/8 + 1, Output: size/bytesPerToken + 1}
	if rest := sent - u.Input; len(r.Results) == 0 {
		u.CacheWrites = max(rest, 0)
	} else {
		u.CacheReads = max(rest, 0)
	}
	return u
}

// failure is the body of an error answer.
func failure(status int, text string) any {
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
	case 529: // the API's own, "overloaded"
		kind = "overloaded_error"
	}
	return map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": text}}
}
