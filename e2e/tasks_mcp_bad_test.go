package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// newTasksHost makes a folder for a workspace.
func newTasksHost(t *testing.T) *tasksHost {
	t.Helper()
	h := &tasksHost{T: t, dir: filepath.Join(t.TempDir(), "workspace")}
	assert.NoError(t, os.MkdirAll(h.dir, 0o755))
	return h
}

// head is the current commit.
func (h *tasksHost) head() string { return strings.TrimSpace(h.git("rev-parse", "HEAD")) }

// TestTasksMCP_badInput refuses what is wrong with a code and a sentence, and writes nothing then.
func TestTasksMCP_badInput(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	p := h.open(plainConfig)
	one, two := p.create("One"), p.create("Two")
	p.do("task_update", fields{"id": two, "patch": fields{"relationships": fields{"depends_on": []string{one}}}})
	p.do("task_comment_add", fields{"id": one, "text": "first"})
	p.sprint(fields{"label": "First"})
	p.do("task_create", fields{"title": "Open", "description": "Text\n\n## Acceptance Criteria\n\n- [ ] It is so"})
	before := h.head()
	patch := func(p fields) fields { return fields{"id": one, "patch": p} }
	for _, tt := range []struct {
		tool string
		args fields
		code int
		want string // in the message or in a sentence of the data
	}{
		{"task_get", fields{}, -32602, "Missing id"},
		{"task_get", fields{"id": "TEST-99"}, -32004, "TEST-99"},
		{"task_get", fields{"id": 1, "project": "NONE"}, -32004, "NONE-1"},
		{"task_create", fields{"title": "  "}, -32602, "title"},
		{"task_create", fields{"title": "A", "project": "../x"}, -32602, "project"},
		{"task_create", fields{"title": "A", "due_date": "someday"}, -32602, "someday"},
		{"task_create", fields{"title": "A", "effort": "-3h"}, -32602, "-3h"},
		{"task_create", fields{"title": "A", "sprints": []int{9}}, -32004, "Sprint #9 not found"},
		{"task_create", fields{"title": "A", "sprints": "x"}, -32602, "sprints"},
		{"task_create", fields{"title": "A", "relationships": fields{"depends_on": []string{"TEST-99"}}}, -32004, "TEST-99"},
		{"task_create", fields{"title": "A", "relationships": "x"}, -32602, "relationships"},
		{"task_create", fields{"title": "A", "custom_fields": []string{"x"}}, -32602, "custom_fields"},
		{"task_update", fields{"patch": fields{}}, -32602, "Missing id"},
		{"task_update", fields{"id": one, "patch": "x"}, -32602, "Invalid patch"},
		{"task_update", patch(fields{"title": ""}), -32602, "title"},
		{"task_update", patch(fields{"status": nil}), -32602, "status"},
		{"task_update", patch(fields{"relationships": fields{"depends_on": []string{two}}}), -32602, "circle"},
		{"task_update", patch(fields{"relationships": fields{"depends_on": []string{one}}}), -32602, "itself"},
		{"task_update", fields{"id": "TEST-3", "patch": fields{"status": "Done"}}, -32005, "It is so"},
		{"task_comment_add", fields{"id": one, "text": " "}, -32602, "Missing text"},
		{"task_comment_update", fields{"id": one, "index": 1, "text": "x"}, -32602, "out of range"},
		{"task_comment_update", fields{"id": one, "index": "x", "text": "x"}, -32602, "index"},
		{"task_bulk_update", fields{"ids": []string{}, "patch": fields{}}, -32602, "ids must not be empty"},
		{"task_bulk_comment_add", fields{"text": "x"}, -32602, "Missing ids"},
		{"task_reference_add", fields{"id": one, "value": "x"}, -32602, "Missing kind"},
		{"task_reference_add", fields{"id": one, "kind": "ftp", "value": "x"}, -32602, "ftp"},
		{"task_reference_add", fields{"id": one, "kind": "file", "value": "../../etc/passwd"}, -32000, "passwd"},
		{"task_delete", fields{"id": one}, -32006, two},
		{"task_list", fields{"limit": 201}, -32602, "limit must be between 1 and 200"},
		{"task_list", fields{"cursor": -1}, -32602, "cursor must be a positive integer"},
		{"task_list", fields{"status": "todo,nothing"}, -32602, "nothing"},
		{"task_list", fields{"project": "NOPE"}, -32602, "NOPE"},
		{"sprint_backlog", fields{"project": "NOPE"}, -32602, "NOPE"},
		{"project_list", fields{"cursor": 5001}, -32602, "cursor must be <= 5000"},
		{"project_stats", fields{}, -32602, "Missing name"},
		{"config_set", fields{"values": fields{}}, -32602, "values"},
		{"config_set", fields{"values": fields{"nothing": "1"}}, -32002, "Invalid field 'nothing'"},
		{"config_set", fields{"values": fields{"default_priority": "High", "server_port": "x"}, "global": true}, -32002, "server_port"},
		{"sprint_get", fields{}, -32602, "Missing sprint id"},
		{"sprint_get", fields{"sprint_id": "x"}, -32602, "sprint_id must be a positive integer"},
		{"sprint_get", fields{"sprint_id": 7}, -32004, "Sprint #7 not found"},
		{"sprint_create", fields{"capacity_points": "x"}, -32602, "capacity_points"},
		{"sprint_add", fields{"sprint_id": 1}, -32602, "tasks"},
		{"sprint_add", fields{"sprint_id": 1, "tasks": []string{one, "TEST-99"}}, -32602, "TEST-99"},
		{"sprint_delete", fields{"sprint_id": 7}, -32004, "Sprint #7 not found"},
		{"sprint_list", fields{"limit": 201}, -32602, "limit must be between 1 and 200"},
		{"sprint_backlog", fields{"limit": 101}, -32602, "limit must be between 1 and 100"},
	} {
		e := p.refused(tt.tool, tt.args)
		text := e.Message + "\n" + fields(e.Data).text("details") + "\n" + fields(e.Data).text("message")
		if e.Code != tt.code || !strings.Contains(text, tt.want) {
			h.Errorf("%s %v: %+v", tt.tool, tt.args, e)
		}
		if e.Code == -32602 && fields(e.Data).text("details") == "" {
			h.Errorf("%s %v: no details in %+v", tt.tool, tt.args, e)
		}
	}
	if after := h.head(); after != before {
		h.Errorf("commits were made:\n%s", h.git("log", "--stat", before+".."+after))
	}
	if status := h.git("status", "--porcelain", "--untracked-files=no"); status != "" {
		h.Errorf("files were written:\n%s", status)
	}
}

// TestTasksMCP_nulls distinguishes absent, empty and null values.
func TestTasksMCP_nulls(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	p := h.open(plainConfig)
	full := fields{
		"title": "Full", "description": "Text", "assignee": "bob", "effort": "2h", "due_date": "2026-12-01", "tags": []string{"a"},
		"custom_fields": fields{"area": "x"},
	}
	id := p.do("task_create", full).text("task", "id")
	got := p.do("task_update", fields{"id": id, "patch": fields{"priority": "High"}})
	for name, want := range map[string]string{"description": "Text", "assignee": "bob", "effort": "2.00h", "due_date": "2026-12-01", "tags": `["a"]`, "custom_fields": `{"area":"x"}`} {
		p.expect(got, want, name)
	}
	got = p.do("task_update", fields{"id": id, "patch": fields{"assignee": "", "effort": nil, "due_date": nil, "tags": []string{}, "custom_fields": nil, "description": ""}})
	for _, name := range []string{"description", "assignee", "effort", "due_date", "tags", "custom_fields"} {
		p.expect(got, "", name)
	}
	p.expect(got, "High", "priority")
	p.expect(p.do("sprint_create", fields{"label": "L", "goal": "G", "capacity_points": 3}), "G", "sprint", "goal")
	sprint := p.do("sprint_update", fields{"sprint_id": 1, "goal": nil, "capacity_points": nil})
	p.expect(sprint, "", "sprint", "goal")
	p.expect(sprint, "", "sprint", "capacity_points")
	p.expect(sprint, "L", "sprint", "label")
}

// TestTasksMCP_partialBulk names the tasks of a call that failed, and those that were not tried.
func TestTasksMCP_partialBulk(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	p := h.open(plainConfig)
	one, two := p.create("One"), p.create("Two")
	before := h.head()
	ids := []any{one, "TEST-98", " ", one, two, "TEST-99"}
	got := p.do("task_bulk_update", fields{"ids": ids, "patch": fields{"priority": "High"}})
	p.expect(got, one, "updated", 0, "id")
	p.expect(got, two, "updated", 1, "id")
	p.expect(got, "TEST-98", "failed", 0, "id")
	p.expect(got, "TEST-99", "failed", 1, "id")
	if n := strings.Count(h.git("log", "--oneline", before+"..HEAD"), "\n"); n != 1 {
		h.Errorf("%d commits", n)
	}
	got = p.do("task_bulk_update", fields{"ids": ids, "patch": fields{"priority": "Low"}, "stop_on_error": true})
	p.expect(got, one, "updated", 0, "id")
	p.expect(got, "", "updated", 1)
	p.expect(got, "", "failed", 1)
	p.expect(got, fmt.Sprintf(`[%q,"TEST-99"]`, two), "skipped")
}

// TestTasksMCP_twoServers change the same task, and both changes hold.
func TestTasksMCP_twoServers(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	first, second := h.open(plainConfig), h.open("")
	id := first.create("Shared")
	const each = 5
	var both sync.WaitGroup
	for _, p := range []*tasksPipe{first, second} {
		both.Go(func() {
			for i := range each {
				p.call("task_comment_add", fields{"id": id, "text": fmt.Sprint(i)})
				p.call("task_create", fields{"title": "One of many"})
			}
		})
	}
	both.Wait()
	got := first.do("task_get", fields{"id": id})
	if list, _ := got.at("comments").([]any); len(list) != 2*each {
		h.Errorf("%d comments", len(list))
	}
	all := second.do("task_list", fields{})
	first.expect(all, fmt.Sprint(2*each+1), "total")
	seen := map[string]bool{}
	for i := range 2*each + 1 {
		seen[all.text("tasks", i, "id")] = true
	}
	if len(seen) != 2*each+1 {
		h.Errorf("ids %v", seen)
	}
	h.git("fsck", "--strict")
}

// TestTasksMCP_workspaceDisappears answers with what is left.
func TestTasksMCP_workspaceDisappears(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	p := h.open(plainConfig)
	id := p.create("Stays")
	assert.NoError(t, os.RemoveAll(h.tasksDir()))
	p.expect(p.do("task_get", fields{"id": id}), "Stays", "title")
	p.expect(p.do("task_list", fields{}), "1", "total")
	h.write(".tasks/config.yml", "issue_states: [Todo, Done\n")
	if e := p.refused("task_list", fields{}); !strings.Contains(fmt.Sprint(e.Message, e.Data), "config.yml") {
		h.Errorf("broken settings: %+v", e)
	}
	h.write(".tasks/config.yml", plainConfig)
	p.expect(p.do("task_get", fields{"id": id}), "Todo", "status")
}

// TestTasksMCP_unknownCaller: without an identity @me is unknown.
func TestTasksMCP_unknownCaller(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	p := h.open(plainConfig, "USER=", "USERNAME=", "LOGNAME=")
	p.create("Of an unknown caller", "assignee", "@me")
	who := p.do("whoami", fields{"explain": true})
	if user, there := who["user"]; !there || user != nil {
		h.Errorf("got %v", who)
	}
	p.expect(p.do("task_list", fields{"assignee": "@me"}), "0", "total")
	p.expect(p.do("task_list", fields{}), "1", "total")
}

// TestTasksMCP_firstWrites of several servers at once make one project, also where git has no identity to commit with.
func TestTasksMCP_firstWrites(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	h.anonymous = true
	servers := []*tasksPipe{h.open(plainConfig), h.open(""), h.open("")}
	var all sync.WaitGroup
	for _, p := range servers {
		all.Go(func() { p.call("task_create", fields{"title": "First"}) })
	}
	all.Wait()
	servers[0].expect(servers[0].do("task_list", fields{}), fmt.Sprint(len(servers)), "total")
	if authors := h.git("log", "--format=%an <%ae>"); strings.ReplaceAll(authors, "ada <ada@localhost>\n", "") != "" {
		h.Errorf("commits by %s", authors)
	}
	if n := strings.Count(h.git("log", "--format=%s", "--", ".chant/config.md"), "\n"); n != 1 {
		h.Errorf("%d commits of settings", n)
	}
}
