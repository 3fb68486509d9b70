package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"chant/engine"

	"github.com/alecthomas/assert/v2"
)

// task sends a request in a session and returns the reply, which may come as an event.
func (v *sessionFor) task(method string, params any) taskMessage {
	v.t.Helper()
	_, body := v.post(requestLine(1, method, params))
	if i := strings.LastIndex(body, "data: "); i >= 0 {
		body = body[i+len("data: "):]
	}
	var m taskMessage
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		v.t.Fatalf("%s: %v", body, err)
	}
	return m
}

func TestTasks_endWithTheirSession(t *testing.T) {
	t.Parallel()
	begun, stopped := make(chan struct{}, 1), make(chan struct{})
	e := &endpoint{srv: newServer(t.Output(), blank, fixed(
		taskTool("work", func(ctx context.Context, _ *engine.Project, _ echoInput) (echoResult, error) {
			begun <- struct{}{}
			<-ctx.Done()
			close(stopped)
			return echoResult{}, ctx.Err()
		})), Options{Version: "0"})}
	v := sessionServer(t, e)
	v.initialize()
	v.task("tools/call", asTask("work", struct{}{}))
	<-begun
	assert.False(t, e.sessions.find(v.id).idle(), "a session with a task is idle")
	v.do(t.Context(), http.MethodDelete, "").Body.Close()
	<-stopped
}
