package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// rstnFeature is the feature of rstn's documents.
const rstnFeature = "060-mcp-server-infrastructure"

// saysText is a reply with one text, as JSON. Without isError it succeeds, as the protocol says.
func saysText(text string, isError bool) string {
	flag := "null"
	if isError {
		flag = "true"
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has JSON
	}
	return fmt.Sprintf(`{"result":{"content":[{"type":"text","text":%s}],"isError":%s}}`, quoted, flag)
}

// writesFile returns a step that writes a file of the project.
func writesFile(file, text string) func(*testing.T, *project) {
	return func(_ *testing.T, p *project) { p.write(file, text) }
}

// checksOut returns a step that checks out a branch, which it makes if it is new.
func checksOut(args ...string) func(*testing.T, *project) {
	return func(_ *testing.T, p *project) { p.git(append([]string{"checkout", "-q"}, args...)...) }
}

// TestSeeds_rstn: what the document of rstn says.
func TestSeeds_rstn(t *testing.T) {
	t.Parallel()
	seed{
		name: "rstn", over: []transport{overLines, overHTTP}, args: []string{"--toolsets", "feature"},
		project: func(t *testing.T) *project {
			p := newProject(t)
			p.addFeature(rstnFeature)
			return p
		},
		says: append(append(rstnTools(), rstnInFeature()...), rstnOutside()...),
	}.run(t)
}

// rstnTools are the statements about names, schemas and the transport.
func rstnTools() []statement {
	schema := func(lines, tool, says, want string) statement {
		return statement{lines: lines, says: tool + ": " + says, method: "tools/list", want: `{"result":{"tools":["...",{"name":"` + tool + `",` + want + `},"..."]}}`}
	}
	return []statement{
		{lines: "19-30", says: "six tools", method: "tools/list", want: `{"result":{"tools":[{"name":"rstn_get_app_state"},{"name":"rstn_report_status"},{"name":"rstn_read_spec"},{"name":"rstn_get_context"},{"name":"rstn_complete_task"},{"name":"rstn_run_hook"}]}}`},
		schema("25", "rstn_get_app_state", "application state as JSON", `"description":"~^Get full TUI application state as JSON"`),
		schema("26", "rstn_report_status", "its statuses are named", `"description":"~needs_input.*completed.*error"`),
		schema("27", "rstn_read_spec", "a spec artifact for the current feature", `"description":"~^Read a spec artifact for the current feature"`),
		schema("28", "rstn_get_context", "context and metadata", `"description":"~^Get current feature context and metadata"`),
		schema("29", "rstn_complete_task", "marks a task", `"description":"~^Mark a task as complete with optional validation"`),
		schema("30", "rstn_run_hook", "lint, test, format", `"description":"~^Run a project-configured hook \\(lint, test, format\\)"`),
		schema("36-55", "rstn_read_spec", "the data plane only reads", `"annotations":{"readOnlyHint":true}`),
		schema("36-55", "rstn_get_context", "the data plane only reads", `"annotations":{"readOnlyHint":true}`),
		schema("36-55", "rstn_get_app_state", "the data plane only reads", `"annotations":{"readOnlyHint":true}`),
		schema("57-60", "rstn_complete_task", "the control plane changes things", `"annotations":{"readOnlyHint":false}`),
		schema("112-118", "rstn_get_app_state", "no parameters", `"inputSchema":{"type":"object","required":null}`),
		schema("157-176", "rstn_report_status", "its schema", `"inputSchema":{"type":"object","required":["status"],"properties":{
			"status":{"type":"string","enum":["needs_input","completed","error"],"description":"Current task status"},
			"prompt":{"type":"string","description":"Prompt to show user (for needs_input)"},"message":{"type":"string","description":"Error message (for error status)"}}}`),
		schema("245-258", "rstn_read_spec", "its schema", `"inputSchema":{"type":"object","required":["artifact"],"properties":{
			"artifact":{"type":"string","enum":["spec","plan","tasks","checklist","analysis"],"description":"Artifact to read"}}}`),
		schema("342-348", "rstn_get_context", "no parameters", `"inputSchema":{"type":"object","required":null}`),
		schema("424-441", "rstn_complete_task", "its schema", `"inputSchema":{"type":"object","required":["task_id"],"properties":{
			"task_id":{"type":"string","description":"~^Task ID"},"skip_validation":{"type":"boolean","default":false,"description":"~^Skip validation"}}}`),
		schema("509-527", "rstn_run_hook", "its schema", `"inputSchema":{"type":"object","required":["hook_name"],"properties":{
			"hook_name":{"type":"string","description":"~^Name of the hook"},"args":{"type":"array","items":{"type":"string"},"description":"~^Additional arguments"}}}`),
		{lines: "76-77", says: "calls have a path of their own in a diagram", differs: "the path of calls", only: overHTTP, tool: "rstn_get_context", check: checkOnlyMCP},
		{lines: "600-621", says: "the session file", differs: "the session file", only: overHTTP, tool: "rstn_get_context", check: checkSessionFile},
	}
}

// checkOnlyMCP: the endpoint is /mcp, and nothing answers at another path.
func checkOnlyMCP(t *testing.T, c *seedClient, _ seedReply) {
	t.Helper()
	top, isMCP := strings.CutSuffix(c.http.URL, "/mcp")
	assert.True(t, isMCP, "the endpoint is %s", c.http.URL)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, top+"/tools/call", strings.NewReader(`{}`))
	assert.NoError(t, err)
	reply, err := c.http.RoundTrip(r)
	assert.NoError(t, err)
	assert.NoError(t, reply.Body.Close())
	assert.Equal(t, http.StatusNotFound, reply.StatusCode)
}

// checkSessionFile: the file that clients are started with names the server, its type and its port.
func checkSessionFile(t *testing.T, c *seedClient, _ seedReply) {
	t.Helper()
	server := c.project.serveFeature(c.project.dir, "token", "--session", "rstn")
	defer server.kill()
	_, url, auth := sessionFileOf(t, c.project)
	assert.Equal(t, server.url, url, "the file names")
	assert.Equal(t, "Bearer token", auth, "the file has the header")
}

// rstnInFeature are the statements about a worktree with a feature.
func rstnInFeature() []statement {
	list := "specs/" + rstnFeature + "/tasks.md"
	hook := func(name string, code int, stdout string) string {
		return fmt.Sprintf(`{"hook_name":%q,"exit_code":%d,"stdout":%q,"stderr":""}`, name, code, stdout)
	}
	return []statement{
		{lines: "84-85", says: "data of the data plane", tool: "rstn_read_spec", args: `{"artifact":"spec"}`, want: `{"result":{"isError":null,"content":[{"type":"text"}]}}`},
		{lines: "122-130", says: "the state", tool: "rstn_get_app_state", data: `{"running":true,"current_view":"worktree","project_root":"~.",
			"worktree_view":{"commands":["..."],"selected_command_index":3,"workflow_output":"","status_message":"Ready"},"active_workflows":{}}`},
		{lines: "138-139", says: "the phases and hooks", tool: "rstn_get_app_state", data: `{"worktree_view":{"commands":[{"id":"specify"},{"id":"plan"},{"id":"tasks"},{"id":"implement"},{"id":"lint"},{"id":"test"},{"id":"format"}]}}`},

		{lines: "189-194", says: "input is requested", tool: "rstn_report_status", args: `{"status":"needs_input","prompt":"Please describe the feature you want to implement"}`, text: "Status 'needs_input' reported successfully"},
		{lines: "224", says: "the question is on the screen", tool: "rstn_get_app_state", data: `{"worktree_view":{"status_message":"Needs input: Please describe the feature you want to implement"}}`},
		{lines: "197-201", says: "completion is signalled", tool: "rstn_report_status", args: `{"status":"completed"}`, want: saysText("Status 'completed' reported successfully", false)},
		{lines: "225", says: "the status message changes", tool: "rstn_get_app_state", data: `{"worktree_view":{"status_message":"Completed"}}`},
		{lines: "204-209", says: "an error is reported", tool: "rstn_report_status", args: `{"status":"error","message":"Could not find spec directory for feature 060"}`, want: saysText("Status 'error' reported successfully", false)},
		{lines: "226", says: "the error is in the status bar", tool: "rstn_get_app_state", data: `{"worktree_view":{"status_message":"Error: Could not find spec directory for feature 060"}}`},
		{lines: "182", says: "status is required", tool: "rstn_report_status", want: saysText("Error: Missing 'status' field", true)},
		{lines: "182", says: "an empty status is none", tool: "rstn_report_status", args: `{"status":""}`, want: saysText("Error: Missing 'status' field", true)},
		{lines: "182", says: "a status is a text", tool: "rstn_report_status", args: `{"status":1}`, want: saysText("Error: Invalid status: 1. Must be one of: needs_input, completed, error", true)},
		{lines: "182", says: "one of three statuses", tool: "rstn_report_status", args: `{"status":"done"}`, want: saysText("Error: Invalid status: done. Must be one of: needs_input, completed, error", true)},
		{lines: "183-184", says: "prompt and message are optional", tool: "rstn_report_status", args: `{"status":"error"}`, want: saysText("Status 'error' reported successfully", false)},

		{lines: "268", says: "spec is spec.md", tool: "rstn_read_spec", args: `{"artifact":"spec"}`, want: saysText("# Feature "+rstnFeature+"\n\n**Feature Branch**: `"+rstnFeature+"`\n", false)},
		{lines: "269", says: "plan is plan.md", tool: "rstn_read_spec", args: `{"artifact":"plan"}`, want: saysText("# Plan of "+rstnFeature+"\n", false)},
		{lines: "270", says: "tasks is tasks.md", tool: "rstn_read_spec", args: `{"artifact":"tasks"}`, text: "~^# Tasks\n\n## Phase 1: Setup\n\n- \\[ \\] T001 "},
		{lines: "271", says: "the lists of spec-kit are one checklist", tool: "rstn_read_spec", args: `{"artifact":"checklist"}`, want: saysText("- [ ] CHK001 First\n\n- [ ] CHK002 Second\n", false)},
		{lines: "271", says: "checklist is checklist.md", first: writesFile("specs/"+rstnFeature+"/checklist.md", "- [ ] CHK\n"), tool: "rstn_read_spec", args: `{"artifact":"checklist"}`, text: "~CHK"},
		{lines: "272", says: "analysis is analysis.md", first: writesFile("specs/"+rstnFeature+"/analysis.md", "# Analysis\n"), tool: "rstn_read_spec", args: `{"artifact":"analysis"}`, text: "# Analysis\n"},
		{lines: "262", says: "artifact is required", tool: "rstn_read_spec", want: saysText("Error: Missing 'artifact' field", true)},
		{lines: "322", says: "an unknown artifact", tool: "rstn_read_spec", args: `{"artifact":"novel"}`, want: saysText("Error: Invalid artifact: novel. Must be one of: spec, plan, tasks, checklist, analysis", true)},

		{lines: "352-358, 388-391", says: "the context, in this order", tool: "rstn_get_context", want: saysText(`{"feature_number":"060","feature_name":"mcp-server-infrastructure","branch":"`+rstnFeature+`","phase":"implement","spec_dir":"specs/`+rstnFeature+`"}`, false)},
		{
			lines: "369", says: "the phase without a specification", first: func(_ *testing.T, p *project) {
				p.git("checkout", "-q", "-b", "061-specified")
				p.write("specs/061-specified/notes.md", "# Notes\n")
			}, tool: "rstn_get_context", data: `{"phase":"specify"}`,
		},
		{lines: "369", says: "the phase with a specification", first: writesFile("specs/061-specified/spec.md", "# Feature 061\n"), tool: "rstn_get_context", data: `{"phase":"plan"}`},
		{lines: "369", says: "the phase with a plan", first: writesFile("specs/061-specified/plan.md", "# Plan\n"), tool: "rstn_get_context", data: `{"phase":"tasks"}`},
		{lines: "480", says: "no task list", tool: "rstn_complete_task", args: `{"task_id":"T001"}`, want: saysText("No task list loaded", true)},

		{lines: "451-455", says: "a task is completed", first: checksOut(rstnFeature), tool: "rstn_complete_task", args: `{"task_id":"T001"}`, want: `{"result":{"isError":null,"content":[{"text":"Task T001 marked for completion. Processing..."}],"structuredContent":{"task_id":"T001","completed":true,"next_task":{"id":"T002","description":"Task 2 of ` + rstnFeature + `"}}}}`},
		{lines: "470", says: "a task that is ticked stays so", tool: "rstn_complete_task", args: `{"task_id":"T001"}`, text: "Task T001 marked for completion. Processing..."},
		{lines: "470-471", says: "its box is ticked", tool: "rstn_read_spec", args: `{"artifact":"tasks"}`, text: "~\n- \\[x\\] T001 Task 1 of"},
		{lines: "458-463, 473-474", says: "without validation, with the progress", tool: "rstn_complete_task", args: `{"task_id":"T005","skip_validation":true}`, want: `{"result":{"structuredContent":{"progress":{"text":"2/10 tasks complete"}}}}`},
		{lines: "472", says: "the list is saved, with nothing else changed", tool: "rstn_get_context", check: func(t *testing.T, c *seedClient, _ seedReply) {
			t.Helper()
			want := strings.NewReplacer("[ ] T001", "[x] T001", "[ ] T005", "[x] T005").Replace(c.project.git("show", "HEAD:"+list) + "\n")
			assert.Equal(t, want, c.project.read(list))
		}},
		{lines: "479", says: "a task that does not exist", tool: "rstn_complete_task", args: `{"task_id":"T999"}`, want: saysText("Task T999 not found", true)},
		{lines: "479", says: "a part of an id is none", tool: "rstn_complete_task", args: `{"task_id":"T00"}`, want: saysText("Task T00 not found", true)},
		{lines: "445", says: "task_id is required", tool: "rstn_complete_task", want: saysText("Error: Missing 'task_id' field", true)},

		{
			lines: "321", says: "a file that does not exist", first: func(_ *testing.T, p *project) { p.git("rm", "-q", "-f", "specs/"+rstnFeature+"/plan.md") },
			tool: "rstn_read_spec", args: `{"artifact":"plan"}`, want: saysText("Artifact 'plan' not found. Feature context: mcp-server-infrastructure", true),
		},

		{lines: "556-560, 575-580", says: "lint", tool: "rstn_run_hook", args: `{"hook_name":"lint"}`, want: `{"result":{"isError":null}}`, data: hook("lint", 0, "All checks passed!")},
		{lines: "575-580", says: "in this order on one line, with the duration", tool: "rstn_run_hook", args: `{"hook_name":"lint"}`, text: `~^\{"hook_name":"lint","exit_code":0,"stdout":"All checks passed!","stderr":"","duration_secs":[0-9.]+\}$`},
		{lines: "563-568", says: "test with arguments", tool: "rstn_run_hook", args: `{"hook_name":"test","args":["-v","--tb=short"]}`, data: hook("test", 0, "<-v><--tb=short>")},
		{lines: "536", says: "arguments are no part of the command line", tool: "rstn_run_hook", args: `{"hook_name":"test","args":["$(exit 1); 'a b'"]}`, data: hook("test", 0, "<$(exit 1); 'a b'>")},
		{lines: "548-550", says: "format, which fails", tool: "rstn_run_hook", args: `{"hook_name":"format"}`, want: `{"result":{"isError":null}}`, data: hook("format", 2, "formatted")},
		{lines: "584-594", says: "an unknown hook", tool: "rstn_run_hook", args: `{"hook_name":"deploy"}`, want: saysText("Hook not found: deploy. Available: lint, test, format", true)},
		{lines: "531", says: "hook_name is required", tool: "rstn_run_hook", want: saysText("Error: Missing 'hook_name' field", true)},
		{lines: "636-660", says: "an internal failure", first: writesFile(".rstn/hooks.yaml", "hooks:\n  lint: 5\n"), tool: "rstn_run_hook", args: `{"hook_name":"lint"}`, want: `{"result":{"isError":true}}`, text: "~^Error: "},
	}
}

// rstnOutside are the statements about a worktree without a feature.
func rstnOutside() []statement {
	return []statement{
		{lines: "372, 400", says: "all fields are null", first: checksOut("-b", "side"), tool: "rstn_get_context", want: saysText(`{"feature_number":null,"feature_name":null,"branch":null,"phase":null,"spec_dir":null}`, false)},
		{lines: "305-315, 320", says: "no artifact", tool: "rstn_read_spec", args: `{"artifact":"spec"}`, want: saysText("Artifact 'spec' not found. Feature context: None", true)},
		{lines: "481", says: "no task", tool: "rstn_complete_task", args: `{"task_id":"T001"}`, want: saysText("No feature context", true)},
	}
}

// TestSeeds_rstnInRun: what the document of rstn says of a workflow that is active: that of a run, seen from its worktree.
func TestSeeds_rstnInRun(t *testing.T) {
	t.Parallel()
	p := newMCPProject(t)
	m := p.serve(t, p.startSlow(mcpID), "--toolsets", "feature,specs")
	state := func(what, want string) {
		t.Helper()
		compareJSON(t, what, m.do("rstn_get_app_state", map[string]any{}), want)
	}
	state("the state", `{"active_workflows":{"`+mcpID+`":{"title":"Greet the reader","status":"running","reported":null}},"worktree_view":{"status_message":"Greet the reader: running","workflow_output":"~said by the agent"}}`)
	compareJSON(t, "the list of runs", m.do("chant_work_list", map[string]any{}), `{"processes":[{"spec_id":"`+mcpID+`","status":"running"}],"summary":{"running":1}}`)
	compareJSON(t, "the status", m.do("chant_status", map[string]any{}), `{"in_progress":1,"runs":[{"id":"`+mcpID+`","state":"running"}]}`)
	m.do("rstn_report_status", map[string]any{"status": "completed"})
	state("after completed", `{"active_workflows":{"`+mcpID+`":{"reported":"completed"}},"worktree_view":{"status_message":"Completed"}}`)
	m.do("rstn_report_status", map[string]any{"status": "error", "message": "The API is gone"})
	state("after error", `{"active_workflows":{"`+mcpID+`":{"reported":"error"}},"worktree_view":{"status_message":"Error: The API is gone"}}`)
	m.end()
}
