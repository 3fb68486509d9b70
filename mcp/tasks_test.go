package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chant/engine"
	"chant/mcp/taskrun"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// hello is an initialize request in a version of the protocol.
func hello(version string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, version)
}

// requestLine is a request with an id.
func requestLine(id int, method string, params any) string {
	line, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return string(line)
}

// taskMessage is what a server says of tasks.
type taskMessage struct {
	ID     json.RawMessage
	Method string
	Params struct {
		taskrun.Task
		Progress int
		Total    int
		Token    string                       `json:"progressToken"`
		Meta     map[string]map[string]string `json:"_meta"`
	}
	Result struct {
		taskrun.Task
		Created      *taskrun.Task `json:"task"`
		Tasks        []taskrun.Task
		NextCursor   string
		Content      []struct{ Type, Text string }
		IsError      bool
		Structured   map[string]any               `json:"structuredContent"`
		Meta         map[string]map[string]string `json:"_meta"`
		Capabilities map[string]any
		Tools        []struct {
			Name      string
			Execution map[string]string
		}
	}
	Error *rpcError
}

func (c *peer) next() taskMessage {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	var m taskMessage
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		c.t.Fatalf("%s: %v", line, err)
	}
	return m
}

// ask sends a request and returns the reply to it.
func (c *peer) ask(method string, params any) taskMessage {
	c.t.Helper()
	c.send(requestLine(1, method, params))
	m := c.next()
	if string(m.ID) != "1" {
		c.t.Fatalf("the reply to %s is %+v", method, m)
	}
	return m
}

// greet agrees on a version of the protocol.
func (c *peer) greet(version string) taskMessage {
	c.t.Helper()
	c.send(hello(version))
	return c.next()
}

// asTask are the parameters of a call as a task.
func asTask(tool string, task any) map[string]any {
	return map[string]any{"name": tool, "arguments": struct{}{}, "task": task}
}

// begin calls a tool as a task and returns its id.
func (c *peer) begin(tool string) string {
	c.t.Helper()
	m := c.ask("tools/call", asTask(tool, map[string]any{"ttl": 60000, "pollInterval": 500}))
	task := m.Result.Created
	if task == nil || task.Status != taskrun.Working || task.ID == "" || task.TTL != 60000 || task.PollInterval != 500 || task.CreatedAt == "" {
		c.t.Fatalf("created %+v", m)
	}
	return task.ID
}

// tasksVersion is the version of the protocol that has tasks.
const tasksVersion = "2025-11-25"

func taskTool(name string, run func(context.Context, *engine.Project, echoInput) (echoResult, error)) toolset.Tool {
	return toolset.Tool{Name: name, Slow: toolset.Always, Task: true, Params: []toolset.Param{{Name: "text"}}, Op: toolset.Operation(run)}
}

func TestTasks_capability(t *testing.T) {
	t.Parallel()
	tool := taskTool("wait", nil)
	for _, tt := range []struct {
		version string
		tools   []toolset.Tool
		want    string
	}{
		{tasksVersion, []toolset.Tool{echo(), tool}, `{"cancel":{},"list":{},"requests":{"tools":{"call":{}}}}`},
		{tasksVersion, []toolset.Tool{echo()}, "null"},
		{"2025-06-18", []toolset.Tool{tool}, "null"},
		{"2024-11-05", []toolset.Tool{tool}, "null"},
	} {
		c := connect(t.Context(), t, tt.tools...)
		greeting := c.greet(tt.version)
		got, _ := json.Marshal(greeting.Result.Capabilities["tasks"])
		assert.Equal(t, tt.want, string(got), "%s", tt.version)
		for _, listed := range c.ask("tools/list", struct{}{}).Result.Tools {
			optional := listed.Execution["taskSupport"] == "optional"
			assert.Equal(t, tt.want != "null" && listed.Name == "wait", optional, "%s: %+v", tt.version, listed)
		}
		c.end()
	}
}

func TestTasks_result(t *testing.T) {
	t.Parallel()
	letGo := make(chan struct{})
	c := connect(t.Context(), t,
		taskTool("fine", func(context.Context, *engine.Project, echoInput) (echoResult, error) {
			<-letGo
			return echoResult{"done"}, nil
		}),
		taskTool("refused", func(context.Context, *engine.Project, echoInput) (echoResult, error) {
			return echoResult{}, &engine.Error{Code: engine.State, Message: "not now"}
		}),
		taskTool("broken", func(context.Context, *engine.Project, echoInput) (echoResult, error) { panic("a bug") }))
	c.greet(tasksVersion)
	id := c.begin("fine")
	m := c.ask("tasks/get", map[string]any{"taskId": id})
	assert.Equal(t, id, m.Result.ID)
	assert.Equal(t, taskrun.Working, m.Result.Status)
	assert.Zero(t, m.Result.Created)
	c.send(requestLine(11, "tasks/result", map[string]any{"taskId": id}), requestLine(12, "tasks/result", map[string]any{"taskId": id}))
	m = c.ask("tasks/list", struct{}{})
	assert.Equal(t, 1, len(m.Result.Tasks))
	assert.Equal(t, id, m.Result.Tasks[0].ID)
	close(letGo)
	seen := map[string]bool{}
	for range 3 {
		m := c.next()
		if m.Method == "notifications/tasks/status" {
			assert.Equal(t, id, m.Params.ID)
			assert.Equal(t, taskrun.Completed, m.Params.Status)
			assert.Equal(t, 60000, m.Params.TTL)
			continue
		}
		seen[string(m.ID)] = true
		assert.False(t, m.Result.IsError, "result %+v", m)
		assert.True(t, m.Result.Structured["text"] == "done", "result %+v", m)
		assert.Equal(t, id, m.Result.Meta["io.modelcontextprotocol/related-task"]["taskId"])
	}
	assert.True(t, seen["11"], "replies to %v", seen)
	assert.True(t, seen["12"], "replies to %v", seen)

	for tool, want := range map[string]string{"refused": "not now", "broken": errInternal.Error()} {
		id := c.begin(tool)
		if m := c.next(); m.Method != "notifications/tasks/status" || m.Params.ID != id || m.Params.Status != taskrun.Failed || m.Params.Message != want {
			t.Errorf("%s: %+v", tool, m)
		}
		m := c.ask("tasks/result", map[string]any{"taskId": id})
		assert.False(t, tool == "broken" && (m.Error == nil || m.Error.Code != -32603), "%s: %+v", tool, m)
		assert.False(t, tool == "refused" && !m.Result.IsError, "%s: %+v", tool, m)
	}
	c.end()
}

func TestTasks_refused(t *testing.T) {
	t.Parallel()
	c := connect(t.Context(), t, echo(), taskTool("wait", nil))
	c.greet(tasksVersion)
	for _, tt := range []struct {
		method string
		params any
		code   int
	}{
		{"tools/call", asTask("echo", struct{}{}), -32601},
		{"tools/call", asTask("unheard-of", struct{}{}), -32602},
		{"tools/call", asTask("wait", true), -32602},
		{"tools/call", asTask("wait", map[string]any{"ttl": "long"}), -32602},
		{"tools/call", asTask("wait", map[string]any{"ttl": -1}), -32602},
		{"tasks/get", map[string]any{"taskId": "x"}, -32602},
		{"tasks/get", struct{}{}, -32602},
		{"tasks/get", map[string]any{"taskId": 1}, -32602},
		{"tasks/get", []int{1}, -32602},
		{"tasks/result", map[string]any{"taskId": "x"}, -32602},
		{"tasks/cancel", map[string]any{"taskId": "x"}, -32602},
		{"tasks/list", map[string]any{"cursor": "x"}, -32602},
		{"tasks/update", struct{}{}, -32601},
	} {
		m := c.ask(tt.method, tt.params)
		assert.True(t, m.Error != nil, "%s %v: %+v", tt.method, tt.params, m)
		assert.Equal(t, tt.code, m.Error.Code, "%s %v", tt.method, tt.params)
	}
	c.end()
}

func TestTasks_otherVersionsIgnoreThem(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-06-18", "2024-11-05", ""} {
		c := connect(t.Context(), t, taskTool("run", func(context.Context, *engine.Project, echoInput) (echoResult, error) {
			return echoResult{"done"}, nil
		}))
		if version != "" {
			c.greet(version)
		}
		m := c.ask("tools/call", asTask("run", struct{}{}))
		assert.Zero(t, m.Result.Created, "%s", version)
		assert.True(t, m.Result.Structured["text"] == "done", "%s: %+v", version, m)
		for _, method := range []string{"tasks/list", "tasks/get", "tasks/result", "tasks/cancel"} {
			m := c.ask(method, map[string]any{"taskId": "x"})
			assert.True(t, m.Error != nil, "%s: %s: %+v", version, method, m)
			assert.Equal(t, -32601, m.Error.Code, "%s: %s", version, method)
		}
		c.end()
	}
}

func TestTasks_progress(t *testing.T) {
	t.Parallel()
	c := connect(t.Context(), t, taskTool("count", func(_ context.Context, p *engine.Project, _ echoInput) (echoResult, error) {
		for _, done := range []int{0, 2, 1, 3} {
			p.Progress(engine.Event{Text: "counting", Done: done, Total: 3})
		}
		p.Progress(engine.Event{Text: "saving"})
		return echoResult{"counted"}, nil
	}))
	c.greet(tasksVersion)
	params := asTask("count", struct{}{})
	params["_meta"] = map[string]any{"progressToken": "p"}
	id := c.ask("tools/call", params).Result.Created.ID
	for i, want := range [][2]int{{0, 3}, {2, 3}, {3, 3}, {4, 0}} {
		m := c.next()
		assert.Equal(t, "notifications/progress", m.Method, "%d", i)
		assert.Equal(t, "p", m.Params.Token, "%d", i)
		assert.Equal(t, want, [2]int{m.Params.Progress, m.Params.Total}, "%d", i)
		assert.Equal(t, id, m.Params.Meta["io.modelcontextprotocol/related-task"]["taskId"], "%d", i)
	}
	m := c.next()
	assert.Equal(t, "notifications/tasks/status", m.Method)
	assert.Equal(t, taskrun.Completed, m.Params.Status)
	c.end()
}

func TestTasks_endOfInputCancels(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 2)
	c := connect(t.Context(), t, taskTool("wait", func(ctx context.Context, _ *engine.Project, _ echoInput) (echoResult, error) {
		begun <- struct{}{}
		<-ctx.Done()
		return echoResult{}, ctx.Err()
	}))
	c.greet(tasksVersion)
	ids := []string{c.begin("wait"), c.begin("wait")}
	<-begun
	<-begun
	c.in.Close()
	for range ids {
		m := c.next()
		assert.Equal(t, taskrun.Cancelled, m.Params.Status, "%+v", m)
	}
	c.end()
}

func TestTasks_resultIsAwaitedAtTheEndOfInput(t *testing.T) {
	t.Parallel()
	letGo := make(chan struct{})
	c := connect(t.Context(), t, taskTool("fine", func(context.Context, *engine.Project, echoInput) (echoResult, error) {
		<-letGo
		return echoResult{"done"}, nil
	}))
	c.greet(tasksVersion)
	c.send(requestLine(2, "tasks/result", map[string]any{"taskId": c.begin("fine")}))
	c.in.Close()
	close(letGo)
	var texts []string
	for range 2 {
		m := c.next()
		for _, block := range m.Result.Content {
			texts = append(texts, block.Text)
		}
	}
	assert.Contains(t, strings.Join(texts, ""), "done")
	c.end()
}
