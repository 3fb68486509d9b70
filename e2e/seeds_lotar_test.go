package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// newLotarFolder is a folder that lotar has planned in, and no project of chant: LOTAR_TASKS_DIR names the directory of
// the tasks, beside one that does not count.
func newLotarFolder(t *testing.T) *project {
	t.Helper()
	p := projectIn(t, t.TempDir())
	for name, text := range map[string]string{
		".tasks/config.yml": "default_project: OLD\n",
		".tasks/OLD/1.yml":  "title: Not this one\nstatus: Todo\n",
		"planned/config.yml": "default_project: AUTH\nissue_states: [Todo, InProgress, NeedsReview, Done]\nissue_types: [Feature, Bug, Chore]\n" +
			"issue_priorities: [Low, Medium, High]\ntags: [\"*\"]\ncustom_fields: [\"*\"]\n",
		"planned/AUTH/config.yml": "project_name: Sign-in\n",
		"planned/AUTH/1.yml": "title: Keep people signed in\nstatus: Todo\npriority: High\ntype: Feature\nreporter: grace\nassignee: alan\n" +
			"created: 2026-08-07T22:48:10.5+00:00\nmodified: 2026-08-08T09:00:00.25+00:00\ndue_date: 2026-12-01\neffort: 3pt\ndescription: For a week.\ntags: [web, session]\n" +
			"relationships: {depends_on: [AUTH-2]}\ncustom_fields: {team: core}\nreferences:\n- link: https://example.com/session\n" +
			"comments:\n- {date: 2026-08-07T23:00:00+00:00, text: As agreed}\n" +
			"history:\n- at: 2026-08-08T09:00:00.25+00:00\n  actor: grace\n  changes:\n  - {field: priority, old: Low, new: High}\n",
		"planned/AUTH/2.yml":     "title: Store sessions\nstatus: Todo\npriority: Low\ntype: Chore\ncreated: 2026-08-07T22:48:11+00:00\n",
		"planned/AUTH/3.yml":     "title: Wrong password says nothing\nstatus: Done\npriority: Medium\ntype: Bug\neffort: 2pt\nsprints: [7]\ncreated: 2026-08-01T10:00:00+00:00\nmodified: 2026-08-05T10:00:00+00:00\n",
		"planned/@sprints/1.yml": "plan: {label: August, starts_at: 2026-08-01, length: 2w, capacity: {points: 10}}\nactual: {started_at: 2026-08-01T08:00:00+00:00}\ntasks: [AUTH-1, AUTH-3]\n",
	} {
		p.write(name, text)
	}
	p.env = append(p.env, "LOTAR_TASKS_DIR="+filepath.Join(p.dir, "planned"), "USER=ada")
	return p
}

// TestSeeds_lotar: what the document of lotar's server says, in a folder that only lotar has used. Up to the first change
// the tasks are read from its files.
func TestSeeds_lotar(t *testing.T) {
	t.Parallel()
	seed{
		name: "lotar", over: []transport{overLines, overHeaders}, args: []string{"--toolsets", "tasks"}, project: newLotarFolder,
		says: slices.Concat(lotarReads(), lotarHost(), lotarTasks(), lotarBulk(), lotarSprints(), lotarSettings(), lotarErrors(), lotarElsewhere()),
	}.run(t)
}

// lotarReads are about a workspace that nothing has changed yet.
func lotarReads() []statement {
	unchanged := func(t *testing.T, c *seedClient, _ seedReply) {
		for _, name := range []string{".chant", ".git"} {
			_, err := os.Stat(filepath.Join(c.project.dir, name))
			assert.Error(t, err, "reading made %s", name)
		}
	}
	return []statement{
		{lines: "13, 125-129", says: "LOTAR_TASKS_DIR names the directory", tool: "project_list", data: `{"status":"ok","count":1,"projects":[{"name":"Sign-in","prefix":"AUTH"}]}`},
		{lines: "103-105, 136", says: "the example for a shell: a method with the name of a tool, without a handshake", raw: `{"jsonrpc":"2.0","id":1,"method":"task/list","params":{"project":"AUTH","limit":5}}`,
			want: `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text"}]}}`, data: `{"status":"ok","count":3,"tasks":[{"id":"AUTH-1"},{"id":"AUTH-2"},{"id":"AUTH-3"}]}`},
		{lines: "136", says: "the same by its other name", method: "task_list", args: `{"project":"AUTH","limit":5}`, data: `{"status":"ok","total":3}`},
		{lines: "17, 76-90", says: "the envelope", raw: `{"jsonrpc":"2.0","id":"a text","method":"task_list","params":{"assignee":"nobody"}}`,
			want: `{"jsonrpc":"2.0","id":"a text","error":null,"result":{"content":[{"type":"text"}]}}`, data: `{"status":"ok","tasks":[],"enumHints":{"statuses":["Todo","InProgress","NeedsReview","Done"]}}`},
		{lines: "93", says: "the text is JSON with line ends", tool: "task_list", text: "~^\\{\n  \"status\": \"ok\",\n"},
		{lines: "31", says: "a task by its id, with all that its file has", tool: "task_get", args: `{"id":"AUTH-1"}`, check: unchanged,
			data: `{"id":"AUTH-1","title":"Keep people signed in","status":"Todo","priority":"High","task_type":"Feature","reporter":"grace","assignee":"alan",
				"created":"2026-08-07T22:48:10.5+00:00","modified":"2026-08-08T09:00:00.25+00:00","due_date":"2026-12-01","effort":"3pt","description":"For a week.","tags":["web","session"],
				"relationships":{"depends_on":["AUTH-2"]},"custom_fields":{"team":"core"},"references":[{"link":"https://example.com/session"}],"comments":[{"date":"2026-08-07T23:00:00+00:00","text":"As agreed"}],
				"sprints":[1],"history":[{"at":"2026-08-08T09:00:00.25+00:00","actor":"grace","changes":[{"field":"priority","old":"Low","new":"High"}]}]}`},
		{lines: "31", says: "with its project", tool: "task_get", args: `{"id":"AUTH-2","project":"AUTH"}`, data: `{"id":"AUTH-2"}`},
		{lines: "31", says: "by its number and its project", tool: "task_get", args: `{"id":"2","project":"AUTH"}`, data: `{"id":"AUTH-2"}`},
		{lines: "40", says: "a filter of statuses", tool: "task_list", args: `{"status":["Done"]}`, data: `{"total":1,"tasks":[{"id":"AUTH-3"}]}`},
		{lines: "40", says: "a filter of types, as a text with commas", tool: "task_list", args: `{"type":"Bug,Chore"}`, data: `{"total":2}`},
		{lines: "40", says: "filters of priority, tag and text together", tool: "task_list", args: `{"priority":"High","tags":["web"],"search":"signed"}`, data: `{"total":1,"tasks":[{"id":"AUTH-1"}]}`},
		{lines: "40", says: "a filter of custom fields", tool: "task_list", args: `{"custom_fields":{"team":"core"}}`, data: `{"total":1,"tasks":[{"id":"AUTH-1"}]}`},
		{lines: "40", says: "a filter of sprints", tool: "task_list", args: `{"sprints":[1]}`, data: `{"total":2}`},
		{lines: "40", says: "the limit is 50 unless it is given", tool: "task_list", data: `{"limit":50,"cursor":0,"page":1,"totalPages":1,"hasMore":false,"nextCursor":null}`},
		{lines: "40", says: "a page", tool: "task_list", args: `{"limit":2}`, data: `{"count":2,"total":3,"hasMore":true,"nextCursor":2}`},
		{lines: "40", says: "the next one", tool: "task_list", args: `{"limit":2,"cursor":2}`, data: `{"count":1,"hasMore":false,"nextCursor":null,"tasks":[{"id":"AUTH-3"}]}`},
		{lines: "40", says: "the limit is at most 200", tool: "task_list", args: `{"limit":201}`, want: `{"error":{"code":-32602,"message":"limit must be between 1 and 200"}}`},
		{lines: "41", says: "sprints by page", tool: "sprint_list", args: `{"limit":1}`, data: `{"status":"ok","count":1,"total":1,"hasMore":false,"nextCursor":null,"sprints":[{"id":1}]}`},
		{lines: "41", says: "with the sprints that tasks name and that do not exist", tool: "sprint_list", args: `{"include_integrity":true}`, data: `{"missing_sprints":[7],"integrity":{"tasks_with_missing":1}}`},
		{lines: "42", says: "one sprint", tool: "sprint_get", args: `{"sprint_id":1}`, data: `{"status":"ok","sprint":{"id":1,"label":"August"}}`},
		{lines: "45", says: "a summary", tool: "sprint_summary", args: `{"sprint_id":1}`, data: `{"status":"ok","metrics":{"points":{"committed":5,"done":2}},"timeline":{}}`},
		{lines: "46", says: "a burndown", tool: "sprint_burndown", args: `{"sprint_id":1}`, data: `{"status":"ok","totals":{"tasks":2},"series":[{"remaining_tasks":2},"..."]}`},
		{lines: "47", says: "a velocity", tool: "sprint_velocity", args: `{"include_active":true}`, data: `{"status":"ok","entries":[{"committed":5,"completed":2}]}`},
		{lines: "51", says: "the backlog, ranked, by page and with hints", tool: "sprint_backlog", data: `{"status":"ok","total":1,"limit":20,"hasMore":false,"nextCursor":null,"tasks":[{"id":"AUTH-2"}],"enumHints":{"types":["Feature","Bug","Chore"]}}`},
		{lines: "51, 137", says: "an unknown status in it", tool: "sprint_backlog", args: `{"status":["Dnoe"],"cleanup_missing":false}`, want: `{"error":{"code":-32602,"data":{"field":"status"}}}`},
		{lines: "53", says: "statistics of a project", tool: "project_stats", args: `{"name":"AUTH"}`, check: unchanged,
			data: `{"name":"AUTH","open_count":2,"done_count":1,"recent_modified":"2026-08-08T09:00:00Z","tags_top":[{"tag":"session","count":1},{"tag":"web","count":1}]}`},
	}
}

// lotarHost are about the handshake and what a host needs to know.
func lotarHost() []statement {
	var tools []any
	for name := range strings.FieldsSeq(`whoami task_create task_get task_update task_comment_add task_comment_update task_bulk_update
		task_bulk_comment_add task_bulk_reference_add task_bulk_reference_remove task_delete task_list sprint_list sprint_get sprint_create
		sprint_update sprint_summary sprint_burndown sprint_velocity sprint_add sprint_remove sprint_delete sprint_backlog project_list
		project_stats config_show config_set schema_discover`) {
		tools = append(tools, map[string]any{"name": name, "description": "~.", "inputSchema": map[string]any{"type": "object"}})
	}
	all, _ := json.Marshal(append(tools, "...")) // it has only texts
	return []statement{
		{lines: "59, 111", says: "initialize", method: "initialize", args: `{"protocolVersion":"2025-06-18"}`,
			want: `{"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"list":true,"call":true}}}}`},
		{lines: "25-56, 60", says: "all tools, each with a description", method: "tools/list", want: `{"result":{"tools":` + string(all) + `}}`},
		{lines: "25-56", says: "two more than these 28", differs: "28 tools", method: "schema/discover", data: `{"toolCount":30}`},
		{lines: "56, 61", says: "the definitions, with the values that fields have", method: "schema/discover", data: `{"status":"ok","tools":["...",{"name":"task_create","hints":{"fields":{"priority":{"values":["Low","Medium","High"]}}}},"..."]}`},
		{lines: "56, 61", says: "one of them", method: "schema/discover", args: `{"tool":"task_create"}`, data: `{"status":"ok","toolCount":1,"tools":[{"name":"task_create"}]}`},
		{lines: "56", says: "the same as a tool", tool: "schema_discover", args: `{"tool":"whoami"}`, data: `{"toolCount":1,"tools":[{"name":"whoami"}]}`},
		{lines: "62, 118", says: "a call with a name and arguments", method: "tools/call", args: `{"name":"whoami","arguments":{}}`, data: `{"status":"ok"}`},
		{lines: "136", says: "a call by the other name", method: "tools/call", args: `{"name":"task/list","arguments":{"limit":1}}`, data: `{"count":1}`},
		{lines: "63", says: "the level of the log", method: "logging/setLevel", args: `{"level":"debug"}`, want: `{"result":{}}`},
		{lines: "3, 66, 119", says: "a change of the settings is announced, and the list has it", method: "ping", want: `{"result":{}}`, check: func(t *testing.T, c *seedClient, _ seedReply) {
			config := filepath.Join(c.project.dir, "planned", "config.yml")
			src, err := os.ReadFile(config)
			assert.NoError(t, err)
			c.project.write("planned/config.yml", string(bytes.Replace(src, []byte("Medium, High"), []byte("Medium, High, Now"), 1)))
			message, err := c.read()
			var got map[string]any
			assert.NoError(t, err)
			assert.NoError(t, json.Unmarshal(message, &got))
			compareJSON(t, "the notification", got, `{"jsonrpc":"2.0","id":null,"method":"tools/listChanged","params":{"hintCategories":["priorities"]}}`)
			reply, _ := c.ask(t, "tools/list", "")
			compareJSON(t, "the list", reply, `{"result":{"tools":["...",{"name":"task_create","hints":{"fields":{"priority":{"values":["Low","Medium","High","Now"]}}}},"..."]}}`)
		}},
		{lines: "69", says: "keys that the examples do not have", differs: "more keys", tool: "task_list", args: `{"limit":1}`, data: `{"tasks":[{"spec":"~.","state":"~."}]}`},
		{lines: "69", says: "the keys of payloads", differs: "keys of payloads", tool: "task_list", args: `{"limit":1}`, data: `{"nextCursor":1,"enumHints":{"statuses":["..."],"custom_fields":null},"tasks":[{"task_type":"Feature","custom_fields":{},"due_date":"2026-12-01"}]}`},
	}
}

// lotarTasks are about single tasks. The first of them is the first change.
func lotarTasks() []statement {
	return []statement{
		{lines: "51", says: "tasks are taken out of sprints that do not exist", tool: "sprint_backlog", args: `{"cleanup_missing":true}`, data: `{"missing_sprints":[],"integrity":{"auto_cleanup":{"removed_references":1,"updated_tasks":1}}}`},
		{lines: "33", says: "a comment on a task that lotar has made", tool: "task_comment_add", args: `{"id":"AUTH-1","text":"Begun"}`,
			data: `{"status":"ok","action":"comment_add","id":"AUTH-1","task":{"comments":[{"text":"As agreed"},{"text":"Begun"}]}}`},
		{lines: "31", says: "nothing is lost by the first change, and nothing is there twice", tool: "task_list", data: `{"total":3,"tasks":[{"id":"AUTH-1","custom_fields":{"team":"core"},"sprints":[1]},{"id":"AUTH-2","modified":"2026-08-07T22:48:11+00:00"},{"id":"AUTH-3"}]}`},
		{lines: "46", says: "a burndown counts a task as done when it was, not when it was imported", tool: "sprint_burndown", args: `{"sprint_id":1}`,
			data: `{"series":["...",{"date":"2026-08-04T00:00:00Z","remaining_tasks":2},{"date":"2026-08-05T00:00:00Z","remaining_tasks":1},"..."]}`},
		{lines: "34", says: "another text for a comment", tool: "task_comment_update", args: `{"id":"AUTH-1","index":1,"text":"Begun today"}`,
			data: `{"status":"ok","action":"comment_update","id":"AUTH-1","index":1,"task":{"comments":[{"text":"As agreed"},{"text":"Begun today"}]}}`},
		{lines: "29", says: "who @me is", tool: "whoami", data: `{"status":"ok","user":"ada"}`},
		{lines: "29, 72", says: "and why", tool: "whoami", args: `{"explain":true}`, data: `{"user":"ada","explain":{"user":"ada","source":"USER","confidence":60}}`},
		{lines: "72", says: "the user of git comes before that of the system", first: func(_ *testing.T, p *project) { p.git("config", "user.name", "Grace H.") }, tool: "whoami", data: `{"user":"Grace H."}`},
		{lines: "72", says: "the default reporter of the settings comes first", first: func(_ *testing.T, p *project) {
			p.write("planned/AUTH/config.yml", "project_name: Sign-in\ndefault_reporter: joan\n")
		}, tool: "whoami", data: `{"user":"joan"}`},
		{lines: "30, 72", says: "a task with values of its own", tool: "task_create", args: `{"title":"Sign out everywhere","type":"Bug","priority":"High","status":"InProgress","assignee":"@me","reporter":"@me","custom_fields":{"team":"web"},"tags":["session"]}`,
			data: `{"task":{"id":"AUTH-4","title":"Sign out everywhere","task_type":"Bug","priority":"High","status":"InProgress","assignee":"joan","reporter":"joan","custom_fields":{"team":"web"},"tags":["session"]}}`},
		{lines: "30", says: "one with the defaults", tool: "task_create", args: `{"title":"Plain"}`, data: `{"task":{"id":"AUTH-5","status":"Todo","priority":"Medium","task_type":"Feature","reporter":"joan"},"metadata":{"appliedDefaults":["..."],"enumHints":{"projects":["AUTH"]}}}`},
		{lines: "32", says: "other fields of a task", tool: "task_update", args: `{"id":"AUTH-5","patch":{"title":"Plainer","description":"A text.","priority":"Low","type":"Chore","assignee":"@me","effort":"1d","due_date":"2026-12-24"}}`,
			data: `{"id":"AUTH-5","title":"Plainer","description":"A text.","priority":"Low","task_type":"Chore","assignee":"joan","effort":"8.00h","due_date":"2026-12-24"}`},
		{lines: "32", says: "relationships and custom fields", tool: "task_update", args: `{"id":"AUTH-5","patch":{"relationships":{"related":["AUTH-4"],"parent":"AUTH-2"},"custom_fields":{"team":"docs"}}}`,
			data: `{"relationships":{"related":["AUTH-4"],"parent":"AUTH-2"},"custom_fields":{"team":"docs"}}`},
		{lines: "70", says: "values in another spelling", tool: "task_update", args: `{"id":"AUTH-5","patch":{"status":"in_progress"}}`, data: `{"status":"InProgress"}`},
		{lines: "32", says: "a task of lotar is done", tool: "task_update", args: `{"id":"AUTH-2","patch":{"status":"Done"}}`, data: `{"id":"AUTH-2","status":"Done"}`},
		{lines: "72", says: "a filter with @me", tool: "task_list", args: `{"assignee":"@me"}`, data: `{"tasks":["...",{"id":"AUTH-4"},{"id":"AUTH-5"}]}`},
	}
}

// lotarBulk are about several tasks in one call, and the end of one.
func lotarBulk() []statement {
	return []statement{
		{lines: "35", says: "one patch for several tasks", tool: "task_bulk_update", args: `{"ids":["AUTH-4","AUTH-5","AUTH-99"],"patch":{"priority":"High"}}`,
			data: `{"status":"ok","updated":[{"id":"AUTH-4","priority":"High"},{"id":"AUTH-5","priority":"High"}],"failed":[{"id":"AUTH-99","error":"~."}]}`},
		{lines: "36", says: "one comment for several", tool: "task_bulk_comment_add", args: `{"ids":["AUTH-4","AUTH-5"],"text":"Both"}`, data: `{"status":"ok","updated":[{"id":"AUTH-4","comments":[{"text":"Both"}]},{"id":"AUTH-5"}],"failed":[]}`},
		{lines: "37", says: "one reference for several", tool: "task_bulk_reference_add", args: `{"ids":["AUTH-4","AUTH-5"],"kind":"link","value":"https://example.com/a"}`,
			data: `{"status":"ok","action":"add","kind":"link","value":"https://example.com/a","updated":[{"id":"AUTH-4","changed":true,"task":{"references":[{"link":"https://example.com/a"}]}},{"id":"AUTH-5","changed":true}],"failed":[]}`},
		{lines: "38", says: "and without it", tool: "task_bulk_reference_remove", args: `{"ids":["AUTH-4","AUTH-5"],"kind":"link","value":"https://example.com/a"}`,
			data: `{"status":"ok","action":"remove","updated":[{"id":"AUTH-4","changed":true},{"id":"AUTH-5","changed":true}],"failed":[]}`},
		{lines: "39", says: "a task is deleted", tool: "task_delete", args: `{"id":"AUTH-3","project":"AUTH"}`, text: "deleted=true"},
		{lines: "39", says: "only once", tool: "task_delete", args: `{"id":"AUTH-3"}`, text: "deleted=false"},
		{lines: "39", says: "and does not come back from the directory of lotar", tool: "task_get", args: `{"id":"AUTH-3"}`, want: `{"error":{"code":-32004,"message":"Task not found"}}`},
	}
}

// lotarSprints are about sprints.
func lotarSprints() []statement {
	return []statement{
		{lines: "43", says: "a sprint", tool: "sprint_create", args: `{"label":"September","goal":"Fewer faults","plan_length":"2w","starts_at":"2026-09-01","capacity_points":8}`, data: `{"status":"ok","sprint":{"id":2,"label":"September","goal":"Fewer faults"}}`},
		{lines: "44", says: "another plan and a start", tool: "sprint_update", args: `{"sprint_id":2,"label":"Autumn","actual_started_at":"2026-09-01T08:00:00Z"}`, data: `{"status":"ok","sprint":{"id":2,"label":"Autumn"}}`},
		{lines: "48", says: "tasks in a sprint", tool: "sprint_add", args: `{"sprint_id":2,"tasks":["AUTH-4","AUTH-5"]}`, data: `{"status":"ok","sprint_id":2,"modified":["AUTH-4","AUTH-5"]}`},
		{lines: "48, 93", says: "force takes them from others, which a line in front says", tool: "sprint_add", args: `{"sprint_id":2,"tasks":"AUTH-1","force":true,"cleanup_missing":true}`, text: "~AUTH-1.*\\b1\\b",
			check: func(t *testing.T, c *seedClient, got seedReply) {
				content, _ := got["result"].(map[string]any)["content"].([]any)
				assert.Equal(t, 2, len(content))
				text, _ := content[1].(map[string]any)["text"].(string)
				compareJSON(t, "the second text", jsonIn(text), `{"status":"ok","modified":["AUTH-1"]}`)
			}},
		{lines: "49", says: "without one of them", tool: "sprint_remove", args: `{"sprint_id":2,"tasks":["AUTH-5"]}`, data: `{"status":"ok","modified":["AUTH-5"]}`},
		{lines: "50, 93", says: "a sprint is deleted, with a line in front of the data", tool: "sprint_delete", args: `{"sprint_id":2,"cleanup_missing":true}`, text: "~^Deleted"},
		{lines: "50", says: "and its tasks do not name it any more", tool: "task_get", args: `{"id":"AUTH-1"}`, data: `{"sprints":null}`},
		{lines: "51", says: "a page of the backlog", tool: "sprint_backlog", args: `{"limit":1}`, data: `{"count":1,"total":3,"hasMore":true,"nextCursor":1}`},
	}
}

// lotarSettings are about settings.
func lotarSettings() []statement {
	return []statement{
		{lines: "54", says: "the settings of all", tool: "config_show", args: `{"global":true}`, data: `{"default_project":"AUTH","issue_priorities":{"values":["Low","Medium","High","Now"]}}`},
		{lines: "54", says: "those of a project", tool: "config_show", args: `{"project":"AUTH"}`, data: `{"default_reporter":"joan"}`},
		{lines: "55", says: "a setting is kept", tool: "config_set", args: `{"values":{"default_priority":"High"},"project":"AUTH"}`, text: "~^Configuration updated"},
		{lines: "55", says: "and counts at once", tool: "task_create", args: `{"title":"Urgent"}`, data: `{"task":{"priority":"High"}}`},
		{lines: "55", says: "a warning comes with it", tool: "config_set", args: `{"values":{"default_priority":"Whenever"},"global":true}`, text: "~Whenever"},
	}
}

// lotarErrors are about what is refused.
func lotarErrors() []statement {
	return []statement{
		{lines: "71", says: "an error has a code, a message and data", tool: "task_get", args: `{"id":"AUTH-99"}`, want: `{"result":null,"error":{"code":-32004,"message":"Task not found","data":{"message":"~AUTH-99"}}}`},
		{lines: "136", says: "an unknown method", method: "task/fly", want: `{"error":{"code":-32601,"message":"Method not found"}}`},
		{lines: "136", says: "an unknown tool", tool: "task_fly", want: `{"error":{"code":-32601,"message":"Method not found"}}`},
		{lines: "137", says: "details say which values there are", tool: "task_update", args: `{"id":"AUTH-1","patch":{"priority":"Hihg"}}`,
			want: `{"error":{"code":-32602,"message":"~^Priority validation failed","data":{"field":"priority","provided":"Hihg","suggestions":["Low","Medium","High","Now"],"details":"~Low, Medium, High, Now"}}}`},
		{lines: "137", says: "or what is missing", tool: "task_create", want: `{"error":{"code":-32602,"message":"~title","data":{"details":"~title"}}}`},
		{lines: "134", says: "a request that is no complete JSON", raw: `{"jsonrpc":"2.0","id":9,`, want: `{"id":null,"error":{"code":-32700,"message":"Parse error","data":{"details":"~."}}}`},
		{lines: "71", says: "a notification has no answer", raw: `{"jsonrpc":"2.0","method":"whoami"}`, silent: true},
		{lines: "134", says: "and the next request has one", method: "ping", want: `{"result":{}}`},
	}
}

// lotarElsewhere are about other ways to the same tasks.
func lotarElsewhere() []statement {
	return []statement{
		{lines: "111-112", says: "the example with a header, whose length is not that of its body", differs: "the length in the example with a header", method: "ping", want: `{"result":{}}`, check: func(t *testing.T, c *seedClient, _ seedReply) {
			const example = "Content-Length: 109\r\n\r\n" + `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`
			command := c.project.command("mcp", "--toolsets", "tasks")
			command.Stdin = strings.NewReader(example)
			out, err := command.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, errText(err))
			}
			got, want := string(out), `"protocolVersion":"2025-06-18"`
			assert.HasPrefix(t, got, "Content-Length: ")
			assert.Contains(t, got, want)
		}},
		{lines: "120-121", says: "events over HTTP", differs: "`/api/events`", method: "ping", want: `{"result":{}}`, check: lotarEvents},
		{lines: "31, 55", says: "all of it is written for lotar again", method: "ping", want: `{"result":{}}`, check: func(t *testing.T, c *seedClient, _ seedReply) {
			out := c.project.home("for-lotar-" + string(c.over))
			c.project.chant("export", "--format", "lotar", "-o", out)
			src, err := os.ReadFile(filepath.Join(out, "AUTH", "1.yml"))
			assert.NoError(t, err)
			for _, want := range []string{"title: Keep people signed in\n", "type: Feature\n", "created: 2026-08-07T22:48:10.5+00:00\n", "team: core\n", "text: As agreed\n", "text: Begun today\n", "at: 2026-08-08T09:00:00.25+00:00\n"} {
				assert.Contains(t, string(src), want, "got %s", src)
			}
			before, err := os.ReadFile(filepath.Join(c.project.dir, "planned", "AUTH", "2.yml"))
			assert.NoError(t, err, "the file of lotar is now %q", before)
			assert.Contains(t, string(before), "status: Todo\n", "the file of lotar is now %q", before)
		}},
	}
}

// lotarEvents reads the stream of events while a task changes.
func lotarEvents(t *testing.T, c *seedClient, _ seedReply) {
	s := c.project.servePages()
	s.ask("GET", strings.TrimPrefix(s.address, s.top), "", nil)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.top+"api/events?kinds=task_updated", nil)
	assert.NoError(t, err)
	r.AddCookie(s.cookie)
	answer, err := http.DefaultClient.Do(r)
	assert.NoError(t, err)
	defer answer.Body.Close()
	assert.Equal(t, "text/event-stream", answer.Header.Get("Content-Type"))
	lines := bufio.NewScanner(answer.Body)
	next := func() string {
		lines.Scan()
		return lines.Text()
	}
	assert.Equal(t, "retry: 1000", next())
	next()
	c.ask(t, "tools/call", `{"name":"task_comment_add","arguments":{"id":"AUTH-1","text":"Seen live"}}`)
	assert.Equal(t, "event: task_updated", next())
	data, _ := strings.CutPrefix(next(), "data: ")
	compareJSON(t, "its data", jsonIn(data), `{"id":"AUTH-1","comments":["...",{"text":"Seen live"}]}`)
	s.interrupt()
	assert.Equal(t, 0, s.end(), "chant serve ends")
}
