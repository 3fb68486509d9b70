package mcp

import (
	"context"
	"sync"

	"chant/engine"
	"chant/mcp/taskrun"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// progress returns what sends the progress of an operation to a client that asked for it, and makes it the status
// message of a task; nil when no client asked for reports. What it sends increases: an event without a total counts
// as one step, and one that counts fewer than before is not sent.
func (s *server) progress(ctx context.Context, meta *mcpgo.Meta) func(engine.Event) {
	task := taskOf(ctx)
	asked := meta != nil && meta.ProgressToken != nil
	if task == nil && !asked {
		return nil
	}
	// Operations report from several goroutines.
	var mu sync.Mutex
	last := -1
	return func(ev engine.Event) {
		mu.Lock()
		defer mu.Unlock()
		params := map[string]any{}
		now := max(last, 0) + 1
		if ev.Total > 0 {
			now = ev.Done
			params["total"] = ev.Total
		}
		// The protocol wants progress to grow.
		if now <= last {
			return
		}
		last = now
		message := string(s.redact([]byte(ev.Text)))
		send := func() {
			if !asked {
				return
			}
			params["progressToken"], params["progress"], params["message"] = meta.ProgressToken, now, message
			note := notification("notifications/progress", params, nil)
			if task != nil {
				note.Params.Meta = relatedTo(task.ID())
			}
			sessionOf(ctx).post(note)
		}
		if task != nil {
			task.Report(taskrun.Progress{Message: message, Done: ev.Done, Total: ev.Total}, send)
		} else {
			send()
		}
	}
}

// post notifies the client. One that cannot be reached goes without: the work is what counts.
func (s *session) post(n mcpgo.JSONRPCNotification) {
	if s == nil || s.heard != nil && !s.heard() {
		return
	}
	// A client that does not read must not hold up the work, so its notification is dropped.
	select {
	case s.notes <- n:
	default:
	}
}

type taskKey struct{}

// taskOf is the task that a call is made for, nil for other calls.
func taskOf(ctx context.Context) *taskrun.Entry {
	e, _ := ctx.Value(taskKey{}).(*taskrun.Entry)
	return e
}

// relatedTo is the metadata of what belongs to a task.
func relatedTo(id string) map[string]any {
	return map[string]any{"io.modelcontextprotocol/related-task": map[string]string{"taskId": id}}
}
