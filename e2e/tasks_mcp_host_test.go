package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/alecthomas/assert/v2"
)

// taskTools is how many tools the toolset has.
const taskTools = 30

// hostCases are about the server: its greeting, its list and its notifications.
func hostCases() []tasksCase {
	return []tasksCase{
		{"a8_01", listNames}, {"a8_02", malformed}, {"a8_03", greeting}, {"a8_04", discovers}, {"a8_05", setsLevel},
		{"a8_07", bothPlaces}, {"a8_08", unknownTool}, {"a8_11", pagination}, {"a8_18", definitionHints}, {"a8_19", normalises},
		{"a8_20", relevantChanges}, {"a8_21", differingCategories}, {"a8_22", framedNotification},
	}
}

// definitions returns the tools by name, and the size of the list.
func (p *tasksPipe) definitions() (map[string]fields, int) {
	p.Helper()
	r := p.request("tools/list", fields{})
	list, _ := r.Result.raw["tools"].([]any)
	whole, _ := json.Marshal(list)
	out := map[string]fields{}
	for _, each := range list {
		tool := fields(each.(map[string]any))
		out[tool.text("name")] = tool
	}
	return out, len(whole)
}

func listNames(h *tasksHost) {
	p := h.open(plainConfig)
	tools, size := p.definitions()
	for _, name := range []string{"task_create", "project_list", "schema_discover", "task_reference_add"} {
		if tools[name] == nil {
			h.Errorf("%s is missing", name)
		}
	}
	for name := range tools {
		if strings.ToLower(name) != name || strings.Contains(name, "/") {
			h.Errorf("tool %q", name)
		}
	}
	if len(tools) != taskTools || size > 12<<10 {
		h.Errorf("%d tools take %d bytes", len(tools), size)
	}
	h.Logf("%d tools take %d bytes", len(tools), size)
}

func malformed(h *tasksHost) {
	p := h.open(plainConfig)
	for _, text := range []string{`{"jsonrpc":"2.0",`, `nonsense`, "\"\xff\"", `[]`} {
		p.send(text)
		r := p.receive()
		assert.True(h.T, r.Result == nil, "%q is answered with %+v", text, r)
		assert.Equal(h.T, "null", string(r.ID))
		assert.True(h.T, r.Error != nil, "%q is answered with %+v", text, r)
		assert.Equal(h.T, -32700, r.Error.Code)
		assert.Equal(h.T, "Parse error", r.Error.Message)
		assert.True(h.T, r.Error.Data["details"] != "", "%q has no details", text)
	}
	p.request("ping", fields{})
}

func greeting(h *tasksHost) {
	p := h.open(plainConfig)
	for asked, want := range map[string]string{"": "2025-06-18", "2025-06-18": "2025-06-18", "2024-11-05": "2024-11-05", "2000-01-01": "2025-06-18"} {
		params := fields{}
		if asked != "" {
			params["protocolVersion"] = asked
		}
		got := fields(p.request("initialize", params).Result.raw)
		p.expect(got, want, "protocolVersion")
		p.expect(got, `{"call":true,"list":true,"listChanged":true}`, "capabilities", "tools")
		p.expect(got, `{}`, "capabilities", "logging")
		p.expect(got, "lotar-mcp", "serverInfo", "name")
		if got.text("instructions") == "" || got.text("serverInfo", "version") == "" {
			h.Errorf("got %v", got)
		}
	}
}

func discovers(h *tasksHost) {
	p := h.open(plainConfig)
	find := func(params fields) fields {
		var out fields
		if err := json.Unmarshal([]byte(p.request("schema/discover", params).Result.Content[0].Text), &out); err != nil {
			h.Fatal(err)
		}
		p.expect(out, "ok", "status")
		return out
	}
	p.expect(find(fields{}), strconv.Itoa(taskTools), "toolCount")
	for _, name := range []string{"task_create", "TASK_CREATE", "task/create"} {
		got := find(fields{"tool": name})
		p.expect(got, "1", "toolCount")
		p.expect(got, "task_create", "tools", 0, "name")
	}
	p.expect(find(fields{"tool": "nothing"}), "[]", "tools")
	p.expect(p.do("schema_discover", fields{"tool": "whoami"}), "whoami", "tools", 0, "name")
}

func setsLevel(h *tasksHost) {
	p := h.open(plainConfig)
	for _, level := range []string{"trace", "DEBUG", "warn", "off", "critical", "loud"} {
		if r := p.request("logging/setLevel", fields{"level": level}); r.Error != nil || len(r.Result.raw) > 0 {
			h.Errorf("%s: %+v", level, r)
		}
	}
}

func bothPlaces(h *tasksHost) {
	p := h.open(plainConfig)
	for _, name := range []string{"config_show", "project_list", "project/list"} {
		r := p.call(name, fields{})
		assert.True(h.T, r.Error == nil, "%s: %+v", name, r.Error)
		assert.True(h.T, r.Result.Function != nil, "%s: %+v", name, r.Result)
		assert.Equal(h.T, name, r.Result.Function.Name)
		assert.Equal(h.T, 1, len(r.Result.Content), name)
		assert.Equal(h.T, r.Result.Function.Response.Content[0], r.Result.Content[0], name)
	}
}

func unknownTool(h *tasksHost) {
	p := h.open(plainConfig)
	if e := p.refused("task_fly", fields{}); e.Code != -32601 || e.Message != "Method not found" {
		h.Errorf("got %+v", e)
	}
	e := p.refused("task_create", fields{"description": "no title"})
	assert.Equal(h.T, -32602, e.Code)
	assert.Contains(h.T, strings.ToLower(e.Message), "missing")
	assert.Contains(h.T, strings.ToLower(e.Message), "title")
}

func pagination(h *tasksHost) {
	tools, _ := h.open(plainConfig).definitions()
	for _, want := range []string{"PAGINATION", "hasMore", "nextCursor"} {
		if text := tools["task_list"].text("description"); !strings.Contains(text, want) {
			h.Errorf("%q does not contain %s", text, want)
		}
	}
}

func definitionHints(h *tasksHost) {
	p := h.open(strings.Replace(plainConfig, `tags: ["*"]`, "members: [ada, bob]\ntags: [api, web]", 1))
	p.create("Only one project")
	tools, _ := p.definitions()
	create, list := tools["task_create"], tools["task_list"]
	p.expect(create, `["Low","Medium","High"]`, "hints", "fields", "priority", "values")
	p.expect(create, `["api","web"]`, "hints", "fields", "tags", "values")
	p.expect(create, "true", "hints", "fields", "tags", "acceptsMultiple")
	p.expect(create, `["ada","bob"]`, "hints", "fields", "assignee", "values")
	p.expect(create, `["ada","bob"]`, "hints", "fields", "reporter", "values")
	p.expect(list, `["Todo","InProgress","NeedsReview","Done"]`, "hints", "fields", "status", "values")
	p.expect(list, "true", "hints", "fields", "status", "acceptsMultiple")
	p.expect(tools["config_show"], `["TEST"]`, "hints", "fields", "project", "values")
	p.expect(tools["task_update"], `["Todo","InProgress","NeedsReview","Done"]`, "hints", "fields", "patch.status", "values")
	p.contains(create.text("description"), "Available ", ": Low, Medium, High.")
	h.write(".tasks/OTHER/config.yml", "project_name: Other\n")
	tools, _ = p.definitions()
	for name, tool := range tools {
		if tool["hints"] != nil || strings.Contains(tool.text("description"), "Available ") {
			h.Errorf("with two projects, %s has hints: %v", name, tool)
		}
	}
}

func normalises(h *tasksHost) {
	p := h.open(plainConfig)
	for _, method := range []string{"tools_call", "tools/call"} {
		if r := p.request(method, fields{"name": "whoami"}); r.Error != nil {
			h.Errorf("%s: %+v", method, r.Error)
		}
	}
	for _, method := range []string{"task_create", "task/create"} {
		r := p.request(method, fields{"title": "By its method"})
		assert.True(h.T, r.Error == nil, "%s: %+v", method, r.Error)
		assert.True(h.T, r.Result.Function == nil, "%s: %+v", method, r.Result)
		assert.Equal(h.T, 1, len(r.Result.raw), method)
	}
	if r := p.request("initialize", fields{}); r.Error != nil {
		h.Errorf("got %+v", r.Error)
	}
	for _, method := range []string{"task/bulk/update", "Task/list", "tasks/list"} {
		if r := p.request(method, fields{}); r.Error == nil || r.Error.Code != -32601 {
			h.Errorf("%s: %+v", method, r)
		}
	}
}

// changed waits for the two notifications of a change and returns the categories.
func (p *tasksPipe) changed() string {
	p.Helper()
	first, second := p.receive(), p.receive()
	if first.Method != "tools/listChanged" || second.Method != "notifications/tools/list_changed" {
		p.Fatalf("got %+v and %+v", first, second)
	}
	return fields(first.Params).text("hintCategories")
}

// relevantChanges: files of tasks announce nothing, settings and projects do.
func relevantChanges(h *tasksHost) {
	p := h.open("")
	p.request("initialize", fields{})
	h.write(".tasks/notes.txt", "nothing")
	h.write(".tasks/deep/er/1.yml", "nothing")
	h.write(".tasks/config.yml", "default_project: TEST\nissue_priorities: [Now, Later]\n")
	if got := p.changed(); !strings.Contains(got, `"priorities"`) {
		h.Errorf("after the first config.yml: %s", got)
	}
	h.write(".tasks/TEST/1.yml", "title: One\n")
	h.write(".tasks/TEST/config.yml", "project_name: Test\n")
	h.write(".tasks/OTHER/config.yml", "project_name: Other\n")
	if got := p.changed(); !strings.Contains(got, `"projects"`) {
		h.Errorf("after a second project: %s", got)
	}
}

func differingCategories(h *tasksHost) {
	const full = "default_project: TEST\nmembers: [ada]\ncustom_fields: [area]\n"
	p := h.open(full + "issue_states: [Todo, Done]\ntags: [api]\n")
	h.write(".tasks/OTHER/config.yml", "project_name: Other\n")
	h.write(".tasks/TEST/config.yml", "project_name: Test\n")
	p.request("initialize", fields{})
	if err := os.RemoveAll(filepath.Join(h.tasksDir(), "OTHER")); err != nil {
		h.Fatal(err)
	}
	if got := p.changed(); got != `["projects","statuses","priorities","types","members","tags","custom_fields"]` {
		h.Errorf("from nothing: %s", got)
	}
	h.write(".tasks/config.yml", full+"issue_states: [Todo, Doing, Done]\ntags: [api, web]\n")
	if got := p.changed(); got != `["statuses","tags"]` {
		h.Errorf("statuses and tags: %s", got)
	}
}

// framedNotification: after one framed request everything has a header.
func framedNotification(h *tasksHost) {
	p := h.open(plainConfig)
	p.framed = true
	p.request("initialize", fields{"protocolVersion": "2025-06-18"})
	h.write(".tasks/config.yml", plainConfig+"members: [ada, bob]\n")
	if got := p.changed(); got != `["members"]` {
		h.Errorf("got %s", got)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.request("ping", fields{})
}
