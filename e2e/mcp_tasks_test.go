package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The specs that clients verify as tasks. The criterion of the second one says which process it is and then waits.
const (
	quickTaskID = "2026-01-03-008-mcp"
	slowTaskID  = "2026-01-03-009-mcp"
)

// newTaskProject is a project with these specs, and the file that the slow criterion writes.
func newTaskProject(t *testing.T) (p *project, started string) {
	t.Helper()
	p = newProject(t)
	started = filepath.Join(p.dir, "..", "started")
	p.addFile(quickTaskID, "---\nstatus: pending\n---\n# Check quickly\n\n## Acceptance Criteria\n\n- [ ] quick `$ true`\n")
	p.addFile(slowTaskID, "---\nstatus: pending\n---\n# Check slowly\n\n## Acceptance Criteria\n\n- [ ] long `$ echo $$ > \""+started+".new\"; mv \""+started+".new\" \""+started+"\"; exec sleep 1000`\n")
	return p, started
}

// checkStopped checks that the process of the slow criterion has ended.
func checkStopped(t *testing.T, started string) {
	t.Helper()
	text, err := os.ReadFile(started)
	assert.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	assert.NoError(t, err)
	assert.True(t, eventually(func() bool { return !alive(pid) }), "process %d of the cancelled task is alive", pid)
}

// TestMCPTasks_typescriptSDK runs a task to its result and cancels another.
func TestMCPTasks_typescriptSDK(t *testing.T) {
	t.Parallel()
	forRelease(t, "mcp")
	node, modules := npmPackage(t, "@modelcontextprotocol/sdk")
	script := npmScript(t, modules, "tasks.mjs")
	for _, kind := range []string{"stdio", "http"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p, started := newTaskProject(t)
			args, env := []string{script, kind, quickTaskID, slowTaskID, started}, p.env
			if kind == "http" {
				s := p.serveHTTP()
				args, env = append(args, s.URL), append(slices.Clone(p.env), "CHANT_MCP_TOKEN="+s.Token)
			} else {
				args = append(args, chantBinary(t), "mcp")
			}
			r := execute(t, p.dir, env, node, args...)
			assert.Equal(t, 0, r.code, "exit %s %s", r.out, r.stderr)
			checkTasksTold(t, r.out)
			checkStopped(t, started)
		})
	}
}

// checkTasksTold checks what the script prints.
func checkTasksTold(t *testing.T, out string) {
	t.Helper()
	var told struct {
		Optional, Seen, List, Notified []string
		Task                           struct{ Status string }
		Result                         struct{ StructuredContent map[string]any }
		Error, Working, Cancelled      string
		Again, Known                   int
	}
	assert.NoError(t, json.Unmarshal([]byte(out), &told), "%s", out)
	assert.SliceContains(t, told.Optional, "chant_verify", "told %s", out)
	assert.Equal(t, "working", told.Task.Status, "told %s", out)
	assert.Equal(t, []string{"taskCreated", "taskStatus", "result"}, told.Seen, "told %s", out)
	assert.True(t, told.Result.StructuredContent["spec_id"] == quickTaskID, "told %s", out)
	assert.Equal(t, "working", told.Working, "told %s", out)
	assert.Equal(t, "cancelled", told.Cancelled, "told %s", out)
	assert.Equal(t, -32602, told.Again, "told %s", out)
	assert.Contains(t, told.Error, "cancelled", "told %s", out)
	assert.Equal(t, []string{"completed", "cancelled"}, told.List, "told %s", out)
	assert.Equal(t, -32602, told.Known, "told %s", out)
	assert.Equal(t, []string{"completed", "cancelled"}, told.Notified, "told %s", out)
}

// TestMCPTasks_goSDK runs a task to its result and cancels another. The SDK has no tasks: their requests go over the
// connection of its session.
func TestMCPTasks_goSDK(t *testing.T) {
	t.Parallel()
	p, started := newTaskProject(t)
	line := &sharedLine{Transport: &sdk.CommandTransport{Command: p.command("mcp")}, replies: make(chan *jsonrpc.Response, 1)}
	s, err := sdk.NewClient(&sdk.Implementation{Name: "e2e", Version: "1"}, nil).
		Connect(t.Context(), line, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	assert.NoError(t, err)
	defer s.Close()

	type task struct {
		ID     string `json:"taskId"`
		Status string
	}
	create := func(spec string) string {
		var created struct{ Task task }
		line.ask(t, &created, "tools/call", map[string]any{
			"name": "chant_verify", "arguments": map[string]any{"id": spec, "run": true}, "task": map[string]any{"ttl": 60000},
		})
		assert.NotEqual(t, "", created.Task.ID)
		assert.Equal(t, "working", created.Task.Status)
		return created.Task.ID
	}
	quick := create(quickTaskID)
	var result sdk.CallToolResult
	line.ask(t, &result, "tasks/result", map[string]any{"taskId": quick})
	content, _ := result.StructuredContent.(map[string]any)
	assert.False(t, result.IsError, "result %+v", result)
	assert.True(t, content["spec_id"] == quickTaskID, "result %+v", result)

	slow := create(slowTaskID)
	assert.True(t, eventually(func() bool { _, err := os.Stat(started); return err == nil }), "the task does not begin")
	var cancelled task
	line.ask(t, &cancelled, "tasks/cancel", map[string]any{"taskId": slow})
	var list struct{ Tasks []task }
	line.ask(t, &list, "tasks/list", map[string]any{})
	want := []task{{quick, "completed"}, {slow, "cancelled"}}
	assert.Equal(t, want[1], cancelled)
	assert.Equal(t, want, list.Tasks)
	checkStopped(t, started)
	got := call(t, s, "chant_spec_get", map[string]any{"id": quickTaskID})
	assert.True(t, got["id"] == quickTaskID, "a plain call on the same session: %v", got)
}

// sharedLine is a transport whose connection carries requests of the test besides those of the SDK's session.
type sharedLine struct {
	sdk.Transport
	sdk.Connection
	replies chan *jsonrpc.Response
}

const sharedID = "test"

func (l *sharedLine) Connect(ctx context.Context) (sdk.Connection, error) {
	var err error
	l.Connection, err = l.Transport.Connect(ctx)
	return l, err
}

// Read keeps the replies to the test's requests from the session.
func (l *sharedLine) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := l.Connection.Read(ctx)
		if r, ok := m.(*jsonrpc.Response); ok && r.ID.Raw() == sharedID {
			l.replies <- r
			continue
		}
		return m, err
	}
}

// ask sends a request and reads the result.
func (l *sharedLine) ask(t *testing.T, result any, method string, params any) {
	t.Helper()
	id, err := jsonrpc.MakeID(sharedID)
	assert.NoError(t, err)
	raw, err := json.Marshal(params)
	assert.NoError(t, err)
	assert.NoError(t, l.Write(t.Context(), &jsonrpc.Request{ID: id, Method: method, Params: raw}))
	select {
	case r := <-l.replies:
		assert.NoError(t, r.Error, "%s", method)
		assert.NoError(t, json.Unmarshal(r.Result, result), "%s", method)
	case <-t.Context().Done():
		t.Fatal(t.Context().Err())
	}
}
