package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"runtime/debug"

	"chant/engine/spec"
	"chant/mcp/taskrun"
	"chant/mcp/toolset"
	"chant/text"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// maxTaskMessage is how many columns of an error are the status message of a task.
const maxTaskMessage = 300

// supportsTasks reports whether a tool of the server can be called as a task. Those of a dialect cannot.
func (s *server) supportsTasks() bool {
	if s.catalog.Standalone {
		return false
	}
	for _, t := range s.catalog.Tools {
		if t.Task {
			return true
		}
	}
	return false
}

// offersTasks reports whether a request is of a client that was offered tasks: they are part of this one version of the
// protocol. Others ask for what the server ignores.
func (s *server) offersTasks(ctx context.Context, m message) bool {
	client := sessionOf(ctx)
	// Tasks are part of this one version of the protocol; others ask for what the server ignores.
	return client != nil && client.store != nil && client.ProtocolVersion() == mcpgo.ProtocolVersion20251125 &&
		!mcpgo.IsModernProtocol(m.meta().ProtocolVersion()) && s.supportsTasks()
}

// meta is the metadata of a request about tools, nil for others.
func (m message) meta() *mcpgo.Meta {
	if m.tools == nil {
		return nil
	}
	return m.tools.meta
}

// tasksCapability offers everything that there is of tasks.
func tasksCapability() *mcpgo.TasksCapability {
	yes := &struct{}{}
	out := &mcpgo.TasksCapability{List: yes, Cancel: yes, Requests: &mcpgo.TaskRequestsCapability{}}
	out.Requests.Tools = &struct {
		Call *struct{} `json:"call,omitempty"`
	}{Call: yes}
	return out
}

// taskCreated is the reply to a call that runs as a task.
type taskCreated struct {
	Task taskrun.Task `json:"task"`
}

// createTask answers a call that is to run as a task. The task begins once the reply has been sent.
func (s *server) createTask(ctx context.Context, m message) reply {
	refuse := func(code int, why string) reply {
		return reply{Error: &rpcError{Code: code, Message: why, id: m.id}}
	}
	t, why := s.find(ctx, m.tools.call)
	switch {
	case t.Name == "":
		return refuse(mcpgo.INVALID_PARAMS, why)
	case !t.Task:
		return refuse(mcpgo.METHOD_NOT_FOUND, "Tool "+spec.Echo(t.Name)+" cannot be called as a task")
	}
	var asked taskrun.Request
	if json.Unmarshal(m.tools.task, &asked) != nil || asked.TTL != nil && *asked.TTL < 0 {
		return refuse(mcpgo.INVALID_PARAMS, "Invalid params of "+m.method+": task must be an object, its ttl milliseconds")
	}
	client := sessionOf(ctx).client
	entry, task, err := client.store.Add(asked, func(ctx context.Context, e *taskrun.Entry) taskrun.Outcome {
		// The task outlives its request, so what it reports does not go where the reply went.
		ctx = s.core.WithContext(context.WithValue(ctx, taskKey{}, e), client.background)
		return s.runTask(ctx, m, t, why)
	})
	if err != nil {
		return refuse(mcpgo.INTERNAL_ERROR, err.Error())
	}
	// The task begins once the reply was written, so the writer has to find it.
	m.tools.created = entry
	return reply{Result: taskCreated{task}, ID: m.id}
}

// runTask carries out the call of a task and returns the reply that the call would have had. It never panics.
func (s *server) runTask(ctx context.Context, m message, t toolset.Tool, why string) (out taskrun.Outcome) {
	broken := taskrun.Outcome{
		Failed: true, Message: errInternal.Error(),
		Value: reply{Error: &rpcError{Code: mcpgo.INTERNAL_ERROR, Message: errInternal.Error()}},
	}
	// A panic in a goroutine of its own would end the whole server.
	defer func() {
		if cause := recover(); cause != nil {
			s.log.Printf("panic in %s: %v\n%s", t.Name, cause, debug.Stack())
			out = broken
		}
	}()
	result, err := s.callTool(ctx, m, t, why)
	if err != nil {
		return broken
	}
	if result.Meta == nil {
		result.Meta = &mcpgo.Meta{}
	}
	fields := relatedTo(taskOf(ctx).ID())
	maps.Copy(fields, result.Meta.AdditionalFields)
	result.Meta.AdditionalFields = fields
	raw, err := text.JSON(*result, "")
	if err != nil {
		s.log.Printf("encode result of %s: %v", t.Name, err)
		return broken
	}
	out = taskrun.Outcome{Value: reply{Result: json.RawMessage(raw)}, Failed: result.IsError}
	if result.IsError {
		out.Message = cmp.Or(firstText(result), "The call failed")
	}
	return out
}

// firstText is the beginning of the first text of a result.
func firstText(r *mcpgo.CallToolResult) string {
	for _, c := range r.Content {
		if found, ok := c.(mcpgo.TextContent); ok {
			return text.Clip(found.Text, maxTaskMessage)
		}
	}
	return ""
}

// taskChanged notifies a client of the status of one of its tasks.
func (c *client) taskChanged(t taskrun.Task) {
	if c.ProtocolVersion() != mcpgo.ProtocolVersion20251125 {
		// Such a client asks for its jobs by a tool.
		return
	}
	var fields map[string]any
	raw, err := json.Marshal(t)
	if err != nil || json.Unmarshal(raw, &fields) != nil {
		// A task is always an object.
		return
	}
	c.background.post(notification(mcpgo.MethodNotificationTasksStatus, fields, nil))
}
