package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"chant/engine"
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

func TestTasks_http(t *testing.T) {
	t.Parallel()
	begun, letGo := make(chan struct{}, 1), make(chan struct{})
	e := &endpoint{srv: newServer(t.Output(), blank, fixed(
		taskTool("work", func(ctx context.Context, _ *engine.Project, _ echoInput) (echoResult, error) {
			begun <- struct{}{}
			select {
			case <-letGo:
				return echoResult{"done"}, nil
			case <-ctx.Done():
				return echoResult{}, ctx.Err()
			}
		})), Options{Version: "0"})}
	one := sessionServer(t, e)
	two := *one
	one.initialize()
	two.initialize()
	heard := one.do(t.Context(), http.MethodGet, "")
	defer heard.Body.Close()
	events := bufio.NewReader(heard.Body)

	id := one.task("tools/call", asTask("work", struct{}{})).Result.Created.ID
	<-begun
	if m := two.task("tasks/get", map[string]any{"taskId": id}); m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("another session sees it: %+v", m)
	}
	if m := two.task("tasks/list", struct{}{}); len(m.Result.Tasks) != 0 {
		t.Errorf("another session lists it: %+v", m)
	}
	close(letGo)
	if m := one.task("tasks/result", map[string]any{"taskId": id}); m.Result.Structured["text"] != "done" {
		t.Errorf("result %+v", m)
	}
	if got := event(t, events); !strings.Contains(got, "notifications/tasks/status") || !strings.Contains(got, id) {
		t.Errorf("heard %s", got)
	}
	if m := (&sessionFor{t: t, url: one.url, hc: one.hc}).task("tools/call", asTask("work", struct{}{})); m.Result.Structured["text"] != "done" {
		t.Errorf("outside of a session %+v", m)
	}
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
	if e.sessions.find(v.id).idle() {
		t.Error("a session with a task is idle")
	}
	v.do(t.Context(), http.MethodDelete, "").Body.Close()
	<-stopped
}
