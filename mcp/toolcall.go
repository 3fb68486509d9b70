package mcp

import (
	"encoding/json"

	"chant/mcp/taskrun"
	"chant/mcp/toolset"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// toolCall is the parameters of tools/call.
type toolCall struct {
	name string
	args toolset.Arguments
	why  string // the call is refused, with this text; empty = it is not
	bare bool   // it is refused for having no arguments
	meta *mcpgo.Meta
	own  bool // the tool is the method of the request, its arguments are the parameters
}

// created is the task that the answer to a message has created, nil for other messages.
func (m message) created() *taskrun.Entry {
	if m.tools == nil {
		return nil
	}
	return m.tools.created
}

// readCall reads the parameters of tools/call, once, when the message comes in.
func readCall(params map[string]json.RawMessage) *toolCall {
	c := &toolCall{}
	if params == nil {
		c.why = "Missing tool name"
		return c
	}
	raw, named := params["name"]
	if !named {
		c.why = "Missing required parameter: name"
		return c
	}
	if json.Unmarshal(raw, &c.name) != nil || c.name == "" {
		c.why = "Missing tool name"
		return c
	}
	args, supplied := params["arguments"]
	// SDKs leave out empty arguments, so this alone decides nothing: the tool is not known yet.
	if !supplied || string(args) == "null" {
		c.why, c.bare = "Missing arguments", true
		return c
	}
	var err error
	if c.args, err = toolset.ParseArguments(args); err != nil {
		c.why = err.Error()
	}
	return c
}

// toolRequest is a request about tools, which this package answers itself.
type toolRequest struct {
	call   *toolCall // nil for tools/list
	cursor json.RawMessage
	meta   *mcpgo.Meta
	broken bool // its metadata cannot be read

	task    json.RawMessage // how a call is to run as a task; nil where it is not
	created *taskrun.Entry  // the task that it runs as
}

// readToolRequest reads the parameters of tools/list and tools/call; nil for other methods.
func readToolRequest(m message) *toolRequest {
	calls := m.method == string(mcpgo.MethodToolsCall)
	if !calls && m.method != string(mcpgo.MethodToolsList) {
		return nil
	}
	var params map[string]json.RawMessage
	r := &toolRequest{}
	if json.Unmarshal(m.params, &params) != nil {
		// This is refused later, with the id of the request.
		params = nil
	}
	if meta := params["_meta"]; meta != nil && json.Unmarshal(meta, &r.meta) != nil {
		r.broken = true
	}
	if calls {
		r.call = readCall(params)
		r.call.meta = r.meta
		if task := params["task"]; string(task) != "null" {
			r.task = task
		}
	}
	r.cursor = params["cursor"]
	return r
}
