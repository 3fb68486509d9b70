package mcp

import (
	"context"
	"encoding/json"

	"chant/engine/spec"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// refusing is the tool, never listed, to which calls go that name no other.
const refusing = "refuse"

// refusal carries through the library why a call is refused.
type refusal struct{}

func refuse(ctx context.Context, _ mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
	text, _ := ctx.Value(refusal{}).(string)
	return mcpgo.NewToolResultError(text), nil
}

// toolCall is what the parameters of tools/call say.
type toolCall struct {
	name string
	args arguments
	why  string // the call is refused; empty = it is not
}

// readCall looks at the parameters of tools/call before the library does.
func (s *server) readCall(params json.RawMessage) (toolCall, tool) {
	var given map[string]json.RawMessage
	var c toolCall
	if json.Unmarshal(params, &given) != nil || given == nil {
		c.why = "Missing tool name"
		return c, tool{}
	}
	raw, named := given["name"]
	if !named {
		c.why = "Missing required parameter: name"
		return c, tool{}
	}
	if json.Unmarshal(raw, &c.name) != nil || c.name == "" {
		c.why = "Missing tool name"
		return c, tool{}
	}
	t, known := s.find(c.name)
	args, supplied := given["arguments"]
	switch {
	case !known:
		c.why = "Unknown tool: " + spec.Echo(c.name)
	case !supplied || string(args) == "null":
		c.why = "Missing arguments"
	case json.Unmarshal(args, &c.args) != nil:
		c.why = "Invalid arguments: expected an object"
	}
	return c, t
}

// refusedParams are parameters of a call to refuse, with the metadata of those
// that it stands for.
func refusedParams(params json.RawMessage) json.RawMessage {
	var given struct {
		Meta json.RawMessage `json:"_meta,omitempty"`
	}
	_ = json.Unmarshal(params, &given) // what cannot be read has no metadata
	return plain(map[string]any{"name": refusing, "arguments": map[string]any{}, "_meta": orEmpty(given.Meta)})
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	return raw
}
