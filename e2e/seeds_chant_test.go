package e2e

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// chantSpecs are the specs of the document's examples: 20, of which 3 are pending, 2 in progress and 15 completed.
func chantSpecs(t *testing.T) *project {
	t.Helper()
	p := newProject(t)
	p.addFile("2026-01-22-001-x7m", "---\ntype: feature\nstatus: in_progress\n---\n# Add user authentication\n\n## Description\n\nImplement user auth...\n")
	p.addFile("2026-02-02-011-xyz", "---\nstatus: completed\n---\n# Met\n\n## Acceptance Criteria\n\n"+strings.Repeat("- [x] Done\n", 5))
	p.addFile("2026-02-02-012-xyz", "---\nstatus: in_progress\n---\n# Not met\n\n## Acceptance Criteria\n\n"+
		strings.Repeat("- [x] Done\n", 3)+"- [ ] Tests added\n- [ ] Documentation updated\n")
	p.addFile("2026-03-01-031-out", "---\nstatus: pending\n---\n# Feature Implementation\n\nSome initial content...\n")
	p.addFile("2026-03-01-032-dep", "---\nstatus: pending\n---\n# First part\n")
	p.addFile("2026-03-01-033-dep", "---\nstatus: pending\ndepends_on: [2026-03-01-032-dep]\n---\n# Second part\n")
	for i := range 14 {
		p.addFile(fmt.Sprintf("2026-02-03-%03d-old", 100+i), "---\nstatus: completed\n---\n# Old work\n")
	}
	return p
}

// chantLog gives a spec a log of as many lines, the last of which is its number.
func chantLog(id string, lines int) func(*testing.T, *project) {
	return func(t *testing.T, p *project) {
		t.Helper()
		var text strings.Builder
		for i := range lines {
			fmt.Fprintf(&text, "2026-03-01T10:00:00Z line %d\n", i+1)
		}
		path := filepath.Join(p.dir, ".chant", "logs", id+".log")
		assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NoError(t, os.WriteFile(path, []byte(text.String()), 0o644))
	}
}

// chantBody is the check that the body of a spec's file is this, below the front matter.
func chantBody(id, want string) func(*testing.T, *seedClient, seedReply) {
	return func(t *testing.T, c *seedClient, _ seedReply) {
		t.Helper()
		src, err := os.ReadFile(filepath.Join(c.project.dir, ".chant", "specs", id+".md"))
		assert.NoError(t, err)
		_, body, _ := strings.Cut(strings.TrimPrefix(string(src), "---\n"), "---\n")
		assert.Equal(t, want, body)
	}
}

// chantTool is the statement that a tool is listed with this description and these parameters, of which one may be
// required.
func chantTool(lines, name, description, properties, required string) statement {
	if required != "" {
		required = fmt.Sprintf("[%q]", required)
	}
	return statement{
		lines: lines, says: name + " is listed as the document has it", method: "tools/list",
		want: fmt.Sprintf(`{"result":{"tools":["...",{"name":%q,"description":%q,"inputSchema":{"type":"object","properties":{%s},"required":%s}},"..."]}}`,
			name, description, properties, cmp.Or(required, "null")),
	}
}

const chantID = `"id":{"type":"string","description":"Spec ID (full or partial)"}`

// TestSeeds_chant: what the document of chant's own server says.
func TestSeeds_chant(t *testing.T) {
	t.Parallel()
	says := chantStatements()
	for _, tool := range []string{
		"chant_spec_get", "chant_ready", "chant_status", "chant_log", "chant_search", "chant_diagnose", "chant_verify",
		"chant_spec_update", "chant_add", "chant_finalize", "chant_resume", "chant_cancel", "chant_archive",
	} {
		args := `{"id":"001"}`
		switch tool {
		case "chant_ready", "chant_status":
			args = "{}"
		case "chant_search":
			args = `{"query":"x"}`
		case "chant_add":
			args = `{"description":"x"}`
		case "chant_spec_update":
			args = `{"id":"001","output":"x"}`
		}
		says = append(says, statement{lines: "775", says: tool + " without a project", tool: tool, args: args, want: failsWith("Chant not initialized. Run `chant init` first.")})
	}
	seed{name: "chant", over: []transport{overLines, overHeaders, overHTTP}, project: chantSpecs, says: says}.run(t)
}

// chantStatements are the statements in the order in which a project is changed by their requests.
func chantStatements() []statement {
	limit := `"limit":{"type":"integer","description":"Maximum number of specs to return (default: 50)"}`
	return []statement{
		// Before initialize: what a shell sends.
		{lines: "46", says: "the tools are listed without initialize", method: "tools/list", want: `{"result":{"tools":["...",{"name":"chant_verify"},"..."]}}`},
		{lines: "52", says: "specs are listed without initialize", tool: "chant_spec_list", data: `{"total":20}`},
		{lines: "55", says: "a part of an id names a spec", tool: "chant_spec_get", args: `{"id":"001"}`, data: `{"id":"2026-01-22-001-x7m"}`},
		{lines: "94", says: "15 more than the 14 tools are listed", differs: "14 tools", method: "tools/list",
			check: func(t *testing.T, _ *seedClient, r seedReply) {
				assert.Equal(t, 29, len(r["result"].(map[string]any)["tools"].([]any)))
			}},
		{lines: "98-118", says: "the tools are listed in the order of the two tables", method: "tools/list",
			want: `{"result":{"tools":[{"name":"chant_spec_list"},{"name":"chant_spec_get"},{"name":"chant_ready"},{"name":"chant_status"},{"name":"chant_log"},{"name":"chant_search"},{"name":"chant_diagnose"},{"name":"chant_verify"},{"name":"chant_spec_update"},{"name":"chant_add"},{"name":"chant_finalize"},{"name":"chant_resume"},{"name":"chant_cancel"},{"name":"chant_archive"},"..."]}}`},

		// The schemas of tools/list.
		chantTool("455-470", "chant_spec_list", "List all chant specs in the current project",
			`"status":{"type":"string","description":"Filter by status (pending, in_progress, completed, failed, ready, blocked)"},`+limit, ""),
		chantTool("472-484", "chant_spec_get", "Get details of a chant spec including full body content", chantID, "id"),
		chantTool("486-497", "chant_ready", "List all specs that are ready to be worked (no unmet dependencies)", limit, ""),
		chantTool("499-514", "chant_status", "Get project status summary with spec counts by status",
			`"brief":{"type":"boolean","description":"Return brief single-line output (e.g., '3 pending | 2 in_progress | 15 completed')"},`+
				`"include_activity":{"type":"boolean","description":"Include activity info for in_progress specs (last modified time, log activity)"}`, ""),
		chantTool("516-532", "chant_log", "Read execution log for a spec", chantID+`,"lines":{"type":"integer","description":"Number of lines to return (default: 100)"}`, "id"),
		chantTool("534-550", "chant_search", "Search specs by title and body content",
			`"query":{"type":"string","description":"Search query (case-insensitive substring match)"},"status":{"type":"string","description":"Filter by status"}`, "query"),
		chantTool("552-564", "chant_diagnose", "Diagnose issues with a spec (check file, log, locks, commits, criteria)", chantID, "id"),
		chantTool("566-586", "chant_spec_update", "Update a chant spec status or add output",
			chantID+`,"status":{"type":"string","description":"New status (pending, in_progress, completed, failed)"},"output":{"type":"string","description":"Output text to append to spec body"}`, "id"),
		chantTool("588-604", "chant_add", "Create a new spec with description",
			`"description":{"type":"string","description":"Description of work to be done (becomes spec title)"},"prompt":{"type":"string","description":"Optional prompt template name to use"}`, "description"),
		chantTool("606-618", "chant_finalize", "Mark a spec as completed (validates all criteria are checked)", chantID, "id"),
		chantTool("620-632", "chant_resume", "Reset a failed spec to pending status so it can be reworked", chantID, "id"),
		chantTool("634-646", "chant_cancel", "Cancel a spec (sets status to cancelled)", chantID, "id"),
		chantTool("648-660", "chant_archive", "Move a completed spec to the archive directory", chantID, "id"),
		chantTool("662-674", "chant_verify", "Verify a spec meets its acceptance criteria", chantID, "id"),

		// Errors of the protocol.
		{lines: "724", says: "what is no JSON is a parse error", raw: `invalid json`, want: `{"error":{"code":-32700,"message":"~^Parse error"},"id":null}`},
		{lines: "845-859", says: "scenario 1: its message", raw: `invalid json`, differs: "words of a parse error",
			want: `{"jsonrpc":"2.0","error":{"code":-32700,"message":"~^Parse error: invalid character 'i'"},"id":null}`},
		{lines: "725", says: "another version of JSON-RPC", raw: `{"jsonrpc":"1.0","id":7,"method":"tools/list"}`, want: `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid JSON-RPC version"},"id":7}`},
		{lines: "725", says: "no version of JSON-RPC", raw: `{"id":7,"method":"tools/list"}`, want: `{"error":{"code":-32600,"message":"Invalid JSON-RPC version"}}`},
		{lines: "728-749", says: "an error has code, message and the id", raw: `{"jsonrpc":"2.0","id":"a","method":"tools/fly"}`, want: `{"jsonrpc":"2.0","error":{"code":-32601,"message":"~.","data":null},"result":null,"id":"a"}`},
		{lines: "780", says: "an unknown method", method: "tools/fly", want: `{"error":{"message":"~^Method not found"}}`},
		{lines: "811-823", says: "a notification has no reply", raw: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, silent: true, only: overLines},
		{lines: "813", says: "a request without an id has none either", raw: `{"jsonrpc":"2.0","method":"tools/list"}`, silent: true, only: overHeaders},

		// Errors of tools.
		{lines: "777", says: "a missing name", method: "tools/call", args: `{"arguments":{}}`, want: failsWith("Missing required parameter: name")},
		{lines: "778", says: "a name that is no text", method: "tools/call", args: `{"name":3,"arguments":{}}`, want: failsWith("Missing tool name")},
		{lines: "778", says: "no parameters", method: "tools/call", want: failsWith("Missing tool name")},
		{lines: "779", says: "missing arguments", method: "tools/call", args: `{"name":"chant_spec_list"}`, want: failsWith("Missing arguments")},
		{lines: "781", says: "an unknown tool", tool: "chant_fly", text: "~^Unknown tool", want: `{"result":{"isError":true}}`},
		{lines: "776,861-880", says: "chant_spec_get without id; scenario 2", tool: "chant_spec_get", want: failsWith("Missing required parameter: id")},
		{lines: "776", says: "chant_spec_update without id", tool: "chant_spec_update", args: `{"status":"pending"}`, want: failsWith("Missing required parameter: id")},
		{lines: "782", says: "an unknown status", tool: "chant_spec_update", args: `{"id":"031","status":"nonsense"}`, text: "~^Invalid status", want: `{"result":{"isError":true}}`},
		{lines: "782", says: "a status that is not among the four", tool: "chant_spec_update", args: `{"id":"031","status":"paused"}`, text: "~^Invalid status", want: `{"result":{"isError":true}}`},
		{lines: "783", says: "no updates", tool: "chant_spec_update", args: `{"id":"031"}`, want: failsWith("No updates specified")},
		{lines: "839", says: "a wrong parameter is described", tool: "chant_spec_list", args: `{"limit":"many"}`, text: "~limit", want: `{"result":{"isError":true}}`},

		// chant_spec_list.
		{lines: "125", says: "specs with a status", tool: "chant_spec_list", args: `{"status":"in_progress"}`, data: `{"specs":[{"id":"2026-01-22-001-x7m","status":"in_progress"},{"status":"in_progress"}],"total":2}`},
		{lines: "125", says: "pending ones", tool: "chant_spec_list", args: `{"status":"pending"}`, data: `{"total":3}`},
		{lines: "125", says: "completed ones", tool: "chant_spec_list", args: `{"status":"completed"}`, data: `{"total":15}`},
		{lines: "125", says: "failed ones", tool: "chant_spec_list", args: `{"status":"failed"}`, data: `{"specs":[],"total":0}`},
		{lines: "463", says: "ready ones", tool: "chant_spec_list", args: `{"status":"ready"}`, data: `{"specs":[{"id":"2026-03-01-031-out"},{"id":"2026-03-01-032-dep"}]}`},
		{lines: "463", says: "blocked ones", tool: "chant_spec_list", args: `{"status":"blocked"}`, data: `{"specs":[{"id":"2026-03-01-033-dep"}]}`},
		{lines: "126", says: "50 specs at most unless asked", tool: "chant_spec_list", data: `{"limit":50}`},
		{lines: "128-132", says: "the total before the limit, the limit and the number returned", tool: "chant_spec_list", args: `{"limit":3}`, data: `{"specs":[{},{},{}],"total":20,"limit":3,"returned":3}`},
		{lines: "134-163", says: "the example: the text is an object with the list", differs: "form of chant_spec_list", tool: "chant_spec_list", args: `{"status":"in_progress","limit":1}`,
			data: `{"specs":[{"id":"2026-01-22-001-x7m","title":"Add user authentication","status":"in_progress","type":"feature"}],"total":2,"limit":1,"returned":1}`},
		{lines: "785-809,828", says: "a result is a text, without isError", tool: "chant_spec_list", args: `{"limit":1}`, want: `{"jsonrpc":"2.0","error":null,"result":{"isError":null,"content":[{"type":"text","text":"~^\\{\\n  \\\"specs\\\""}]}}`},

		// chant_spec_get.
		{lines: "172-201", says: "the example", tool: "chant_spec_get", args: `{"id":"001"}`,
			data: `{"id":"2026-01-22-001-x7m","title":"Add user authentication","status":"in_progress","type":"feature","body":"~## Description\n\nImplement user auth\\.\\.\\."}`},
		{lines: "170", says: "a full id", tool: "chant_spec_get", args: `{"id":"2026-02-02-011-xyz"}`, data: `{"id":"2026-02-02-011-xyz","body":"~- \\[x\\] Done"}`},
		{lines: "170", says: "a part of several ids is refused", tool: "chant_spec_get", args: `{"id":"2026-02"}`, want: `{"result":{"isError":true}}`},
		{lines: "170", says: "an unknown id is refused", tool: "chant_spec_get", args: `{"id":"zzz"}`, want: `{"result":{"isError":true}}`},

		// chant_ready.
		{lines: "205-214", says: "what has no unmet dependencies, with three counts", tool: "chant_ready",
			data: `{"specs":[{"id":"2026-03-01-031-out"},{"id":"2026-03-01-032-dep"}],"total":2,"limit":50,"returned":2}`},
		{lines: "216-229", says: "the example", tool: "chant_ready", args: `{"limit":10}`, data: `{"total":2,"limit":10,"returned":2}`},
		{lines: "212", says: "the total is that before the limit", tool: "chant_ready", args: `{"limit":1}`, data: `{"specs":[{"id":"2026-03-01-031-out"}],"total":2,"limit":1,"returned":1}`},

		// chant_status.
		{lines: "239-266", says: "the example", tool: "chant_status",
			data: `{"total":20,"pending":2,"in_progress":2,"completed":15,"failed":0,"blocked":1,"cancelled":0,"needs_attention":0}`},
		{lines: "268-297", says: "the example of one line", tool: "chant_status", args: `{"brief":true}`, text: "2 pending | 2 in_progress | 15 completed | 1 blocked"},
		{lines: "299-328", says: "the example with activity, without a log", tool: "chant_status", args: `{"include_activity":true}`,
			data: `{"total":20,"in_progress_activity":[{"id":"2026-01-22-001-x7m","title":"Add user authentication","spec_modified":"~^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$","log_modified":null,"has_log":false},{}]}`},
		{lines: "322", says: "and with one", first: chantLog("2026-01-22-001-x7m", 150), tool: "chant_status", args: `{"include_activity":true}`,
			data: `{"in_progress_activity":[{"log_modified":"~^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$","has_log":true},{}]}`},
		{lines: "237", says: "no activity unless asked", tool: "chant_status", data: `{"in_progress_activity":null}`},

		// chant_log.
		{lines: "104,524", says: "the last 100 lines", tool: "chant_log", args: `{"id":"001"}`, text: "~line 51\\b", check: func(t *testing.T, _ *seedClient, r seedReply) {
			text := r.text()
			assert.NotContains(t, text, "line 50\\n")
			assert.Contains(t, text, "line 150")
		}},
		{lines: "104", says: "as many as asked for", tool: "chant_log", args: `{"id":"001","lines":1}`, text: "~line 150"},
		{lines: "104", says: "a spec without a log", tool: "chant_log", args: `{"id":"031"}`, want: `{"result":{"isError":true}}`},

		// chant_search.
		{lines: "105", says: "in titles", tool: "chant_search", args: `{"query":"Feature Impl"}`, data: `{"specs":[{"id":"2026-03-01-031-out","match":"exact"},"..."]}`},
		{lines: "105", says: "in bodies", tool: "chant_search", args: `{"query":"initial content..."}`, data: `{"specs":[{"id":"2026-03-01-031-out","match":"exact"},"..."]}`},
		{lines: "542", says: "a part of a word, in any case", tool: "chant_search", args: `{"query":"UTHENTICAT"}`, data: `{"specs":[{"id":"2026-01-22-001-x7m","match":"exact"}],"total":1}`},
		{lines: "542", says: "what contains the query comes first", tool: "chant_search", args: `{"query":"second part"}`, data: `{"specs":[{"id":"2026-03-01-033-dep","match":"exact"},{"id":"2026-03-01-032-dep","match":"related"}]}`, differs: "related results of chant_search"},
		{lines: "542", says: "nothing that contains no word", tool: "chant_search", args: `{"query":"zebra stripes"}`, data: `{"specs":[],"total":0}`},
		{lines: "105", says: "with a status", tool: "chant_search", args: `{"query":"part","status":"blocked"}`, data: `{"specs":[{"id":"2026-03-01-033-dep"}]}`},
		{lines: "105", says: "without a query", tool: "chant_search", want: failsWith("Missing required parameter: query")},

		// chant_diagnose.
		{lines: "106,554", says: "it checks file, log, lock, commits and criteria", tool: "chant_diagnose", args: `{"id":"012"}`,
			data: `{"spec_id":"2026-02-02-012-xyz","checks":["...",{"name":"file"},{"name":"log"},{"name":"lock"},"...",{"name":"criteria"},"...",{"name":"commits"},"..."]}`},
		{lines: "106", says: "without id", tool: "chant_diagnose", want: failsWith("Missing required parameter: id")},

		// chant_verify.
		{lines: "401-430", says: "the example of success", tool: "chant_verify", args: `{"id":"011"}`,
			data: `{"spec_id":"2026-02-02-011-xyz","verified":true,"criteria":{"total":5,"checked":5,"unchecked":0},"unchecked_items":[],"verification_notes":"All acceptance criteria met"}`},
		{lines: "432-446", says: "the example of failure", tool: "chant_verify", args: `{"id":"012"}`,
			data: `{"spec_id":"2026-02-02-012-xyz","verified":false,"criteria":{"total":5,"checked":3,"unchecked":2},"unchecked_items":["- [ ] Tests added","- [ ] Documentation updated"],"verification_notes":"2 criteria not yet checked"}`},
		{lines: "107", says: "without id", tool: "chant_verify", want: failsWith("Missing required parameter: id")},

		// chant_spec_update.
		{lines: "341-346,383-392", says: "output is appended below a heading, as it is", tool: "chant_spec_update", args: `{"id":"031","output":"Implementation complete. All tests passing."}`,
			text: "Updated spec: 2026-03-01-031-out", check: chantBody("2026-03-01-031-out", "# Feature Implementation\n\nSome initial content...\n\n## Output\n\nImplementation complete. All tests passing.\n")},
		{lines: "345", says: "further output goes below the same heading", tool: "chant_spec_update", args: `{"id":"031","output":"More."}`,
			text: "Updated spec: 2026-03-01-031-out", check: chantBody("2026-03-01-031-out", "# Feature Implementation\n\nSome initial content...\n\n## Output\n\nImplementation complete. All tests passing.\n\nMore.\n")},
		{lines: "344", says: "long output is not cut", tool: "chant_spec_update", args: `{"id":"032","output":"` + strings.Repeat("x", 20000) + `"}`,
			text: "Updated spec: 2026-03-01-032-dep", check: chantBody("2026-03-01-032-dep", "# First part\n\n## Output\n\n"+strings.Repeat("x", 20000)+"\n")},
		{lines: "336", says: "a status", tool: "chant_spec_update", args: `{"id":"031","status":"in_progress"}`, text: "Updated spec: 2026-03-01-031-out"},
		{lines: "336", says: "failed", tool: "chant_spec_update", args: `{"id":"031","status":"failed"}`, text: "Updated spec: 2026-03-01-031-out"},
		{lines: "350-381", says: "the example: a status and output", tool: "chant_spec_update", args: `{"id":"001","status":"completed","output":"Implementation complete. All tests passing."}`,
			text: "Updated spec: 2026-01-22-001-x7m"},
		{lines: "336", says: "completed needs what the criteria say", differs: "completing a spec", tool: "chant_spec_update", args: `{"id":"012","status":"completed"}`, want: `{"result":{"isError":true}}`},

		// The other tools that change specs.
		{lines: "116", says: "a failed spec is pending again", tool: "chant_resume", args: `{"id":"031"}`, text: "~2026-03-01-031-out"},
		{lines: "116", says: "and is listed so", tool: "chant_spec_get", args: `{"id":"031"}`, data: `{"status":"pending"}`},
		{lines: "114", says: "a new spec", tool: "chant_add", args: `{"description":"Greet the reader"}`, data: `{"title":"Greet the reader","id":"~^\\d{4}-\\d\\d-\\d\\d-\\d{3}-[a-z0-9]{3}$"}`},
		{lines: "114", says: "with a prompt", tool: "chant_add", args: `{"description":"Document the greeting","prompt":"documentation"}`, data: `{"title":"Document the greeting"}`},
		{lines: "114", says: "an unknown prompt is refused", tool: "chant_add", args: `{"description":"x","prompt":"nope"}`, text: "~no prompt \"nope\" \\(one of .*documentation", want: `{"result":{"isError":true}}`},
		{lines: "114", says: "without description", tool: "chant_add", want: failsWith("Missing required parameter: description")},
		{lines: "115", says: "open criteria", tool: "chant_finalize", args: `{"id":"012"}`, want: `{"result":{"isError":true}}`},
		{lines: "117", says: "a cancelled spec", tool: "chant_cancel", args: `{"id":"033"}`, text: "Cancelled spec: 2026-03-01-033-dep"},
		{lines: "117", says: "has that status", tool: "chant_spec_get", args: `{"id":"033"}`, data: `{"status":"cancelled"}`},
		{lines: "118", says: "a completed spec goes to the archive", tool: "chant_archive", args: `{"id":"113"}`, text: "~^Archived spec: 2026-02-03-113-old -> \\.chant/archive/.*2026-02-03-113-old\\.md$"},
		{lines: "118", says: "a pending one does not", tool: "chant_archive", args: `{"id":"032"}`, want: `{"result":{"isError":true}}`},
		{lines: "115", says: "chant_finalize needs an id", tool: "chant_finalize", want: failsWith("Missing required parameter: id")},
		{lines: "116", says: "chant_resume needs an id", tool: "chant_resume", want: failsWith("Missing required parameter: id")},
		{lines: "117", says: "chant_cancel needs an id", tool: "chant_cancel", want: failsWith("Missing required parameter: id")},
		{lines: "118", says: "chant_archive needs an id", tool: "chant_archive", want: failsWith("Missing required parameter: id")},

		// initialize.
		{lines: "688-714", says: "the example", method: "initialize", want: `{"jsonrpc":"2.0","result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"chant","version":"~."}}}`},
		{lines: "779", says: "a client that has initialized may leave arguments out", differs: "missing arguments", method: "tools/call", args: `{"name":"chant_status"}`, text: "~\"total\""},
		{lines: "779", says: "but not where one is required", method: "tools/call", args: `{"name":"chant_spec_get"}`, want: failsWith("Missing arguments")},

		// Without a project.
		{lines: "775,882-901", says: "scenario 3: nothing is initialized", first: func(t *testing.T, p *project) {
			t.Helper()
			assert.NoError(t, os.RemoveAll(filepath.Join(p.dir, ".chant")))
		}, tool: "chant_spec_list", want: failsWith("Chant not initialized. Run `chant init` first.")},
	}
}
