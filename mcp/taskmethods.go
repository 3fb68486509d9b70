package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"chant/mcp/taskrun"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// taskList is the reply to tasks/list.
type taskList struct {
	Tasks []taskrun.Task `json:"tasks"`
	Next  string         `json:"nextCursor,omitempty"`
}

// aboutTasks reports whether a request asks for tasks.
func (m message) aboutTasks() bool {
	switch mcpgo.MCPMethod(m.method) {
	case mcpgo.MethodTasksGet, mcpgo.MethodTasksList, mcpgo.MethodTasksResult, mcpgo.MethodTasksCancel:
		return m.id != nil
	}
	return false
}

// answerTasks answers tasks/get, list, result and cancel.
func (s *server) answerTasks(ctx context.Context, m message) reply {
	if !s.offersTasks(ctx, m) {
		return reply{Error: &rpcError{Code: mcpgo.METHOD_NOT_FOUND, Message: s.notFoundMessage(m), id: m.id}}
	}
	store := sessionOf(ctx).store
	var params struct {
		TaskID *string `json:"taskId"`
		Cursor string  `json:"cursor"`
	}
	if len(m.params) > 0 && json.Unmarshal(m.params, &params) != nil {
		return reply{Error: &rpcError{Code: mcpgo.INVALID_PARAMS, Message: "Invalid params of " + m.method, id: m.id}}
	}
	method := mcpgo.MCPMethod(m.method)
	var out any
	var err error
	switch {
	case method == mcpgo.MethodTasksList:
		var list taskList
		list.Tasks, list.Next, err = store.List(params.Cursor)
		out = list
	case params.TaskID == nil:
		err = errors.New("missing required parameter: taskId")
	case method == mcpgo.MethodTasksGet:
		out, err = store.Get(*params.TaskID)
	case method == mcpgo.MethodTasksCancel:
		out, err = store.Cancel(*params.TaskID)
	default:
		return s.taskResult(ctx, m, store, *params.TaskID)
	}
	if err != nil {
		return refuseTask(m, err)
	}
	return reply{Result: out, ID: m.id}
}

// taskResult waits for a task and answers with the reply that its call would have had.
func (s *server) taskResult(ctx context.Context, m message, store *taskrun.Store, id string) reply {
	task, outcome, err := store.Result(ctx, id)
	switch {
	case errors.Is(err, taskrun.ErrUnknown):
		return refuseTask(m, err)
	case err != nil:
		// The only other error is the end of the server, or of the client.
		return reply{Error: &rpcError{Code: mcpgo.INTERNAL_ERROR, Message: "The server is ending", id: m.id}}
	case task.Status == taskrun.Cancelled:
		result := mcpgo.NewToolResultError("The task was cancelled")
		result.Meta = &mcpgo.Meta{AdditionalFields: relatedTo(id)}
		return reply{Result: *result, ID: m.id}
	}
	out := outcome.Value.(reply)
	if out.Error != nil {
		// Several requests may ask for the same result.
		own := *out.Error
		own.id = m.id
		return reply{Error: &own}
	}
	out.ID = m.id
	return out
}

// refuseTask is the reply to a request about a task that cannot be carried out.
func refuseTask(m message, err error) reply {
	return reply{Error: &rpcError{Code: mcpgo.INVALID_PARAMS, Message: "Invalid params of " + m.method + ": " + err.Error(), id: m.id}}
}
