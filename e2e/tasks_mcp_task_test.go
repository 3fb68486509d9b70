package e2e

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/assert/v2"
)

// taskCases are about tasks and projects.
func taskCases() []tasksCase {
	return []tasksCase{
		{"a8_06", createsTask}, {"a8_09", customFields}, {"a8_10", pages}, {"a8_12", resolvesMe}, {"a8_13", appliesDefaults},
		{"a8_14", invalidEnums}, {"a8_15", deletesTask}, {"a8_16", creationMetadata}, {"a8_17", payloadHints}, {"a8_23", listsProjects},
		{"a8_24", references}, {"a8_31", explainsWhoami}, {"a8_32", comments}, {"a8_33", strictMembers},
	}
}

func createsTask(h *tasksHost) {
	p := h.open(plainConfig)
	r := p.call("task_create", fields{"title": "A task", "project": "TEST"})
	assert.True(h.T, r.Error == nil, "%+v", r.Error)
	assert.True(h.T, r.Result.Function != nil, "%+v", r.Result)
	assert.Equal(h.T, "task_create", r.Result.Function.Name)
	assert.NotZero(h.T, len(r.Result.Content))
	id := p.create("Another task")
	if !strings.HasPrefix(id, "TEST-") {
		h.Errorf("got %s", id)
	}
	got := p.do("task_get", fields{"id": id})
	p.expect(got, "Another task", "title")
	p.expect(got, "Todo", "status")
	if e := p.refused("task_get", fields{"id": "TEST-99"}); e.Code != -32004 || e.Message != "Task not found" {
		h.Errorf("got %+v", e)
	}
	if log := h.git("log", "--oneline"); strings.Count(log, "\n") < 2 {
		h.Errorf("the history is %s", log)
	}
}

func customFields(h *tasksHost) {
	p := h.open(plainConfig)
	id := p.create("With fields", "custom_fields", fields{"product": "Platform", "areas": []string{"a", "b"}})
	p.create("Others", "custom_fields", fields{"product": "Shop"})
	p.expect(p.do("task_get", fields{"id": id}), `{"areas":["a","b"],"product":"Platform"}`, "custom_fields")
	p.expect(p.do("task_update", fields{"id": id, "patch": fields{"custom_fields": fields{"product": "Core"}}}), `{"product":"Core"}`, "custom_fields")
	got := p.do("task_list", fields{"custom_fields": fields{"product": "core"}})
	p.expect(got, "1", "count")
	p.expect(got, id, "tasks", 0, "id")
	p.expect(got, `{"product":"Core"}`, "tasks", 0, "custom_fields")
}

func pages(h *tasksHost) {
	p := h.open(plainConfig)
	for _, title := range []string{"One", "Two", "Three"} {
		p.create(title)
	}
	first := p.do("task_list", fields{"project": "TEST", "limit": 2})
	for name, want := range map[string]string{"count": "2", "total": "3", "hasMore": "true", "nextCursor": "2", "page": "1", "totalPages": "2", "cursor": "0", "limit": "2"} {
		p.expect(first, want, name)
	}
	p.contains(first.text("message"), "page 1 of 2", "cursor=2")
	next := p.do("task_list", fields{"project": "TEST", "limit": "2", "cursor": "2"})
	for name, want := range map[string]string{"count": "1", "hasMore": "false", "page": "2"} {
		p.expect(next, want, name)
	}
	if cursor, there := next["nextCursor"]; !there || cursor != nil {
		h.Errorf("nextCursor is %v", cursor)
	}
	p.contains(next.text("message"), "last page")
	for _, limit := range []any{0, 201, "many"} {
		if e := p.refused("task_list", fields{"limit": limit}); e.Code != -32602 || fields(e.Data).text("details") == "" {
			h.Errorf("limit %v: %+v", limit, e)
		}
	}
}

func resolvesMe(h *tasksHost) {
	p := h.open(plainConfig, "USER=grace")
	id := p.create("Mine", "assignee", "@me", "reporter", "@me")
	p.create("Of another", "assignee", "bob")
	got := p.do("task_get", fields{"id": id})
	p.expect(got, "grace", "assignee")
	p.expect(got, "grace", "reporter")
	got = p.do("task_list", fields{"assignee": "@me"})
	p.expect(got, "1", "total")
	p.expect(got, id, "tasks", 0, "id")
	p.expect(p.do("task_update", fields{"id": id, "patch": fields{"assignee": "bob"}}), "bob", "assignee")
	p.expect(p.do("task_update", fields{"id": id, "patch": fields{"assignee": "@me"}}), "grace", "assignee")
}

func appliesDefaults(h *tasksHost) {
	config := plainConfig + "default_assignee: carol\nbranch_priority_aliases: {hot: High}\nbranch_status_aliases: {wip: InProgress}\n"
	h.git("init", "-q", "-b", "main")
	h.git("commit", "-q", "--allow-empty", "-m", "begin")
	h.git("switch", "-q", "-c", "fix/hot-wip")
	p := h.open(config)
	got := p.do("task_create", fields{"title": "By the branch"})
	for name, want := range map[string]string{"assignee": "carol", "task_type": "Bug", "priority": "High", "status": "InProgress"} {
		p.expect(got, want, "task", name)
	}
}

func invalidEnums(h *tasksHost) {
	p := h.open(plainConfig)
	id := p.create("Valid")
	for field, allowed := range map[string]string{
		"priority": `["Low","Medium","High"]`, "type": `["Feature","Bug","Chore"]`, "status": `["Todo","InProgress","NeedsReview","Done"]`,
	} {
		for tool, args := range map[string]fields{
			"task_create":      {"title": "Invalid", field: "Hihg"},
			"task_update":      {"id": id, "patch": fields{field: "Hihg"}},
			"task_bulk_update": {"ids": []string{id}, "patch": fields{field: "Hihg"}},
			"task_list":        {field: []string{"Hihg"}},
		} {
			e := p.refused(tool, args)
			data := fields(e.Data)
			if e.Code != -32602 || !strings.Contains(strings.ToLower(e.Message), field+" validation failed") {
				h.Errorf("%s: %+v", tool, e)
			}
			p.expect(data, field, "field")
			p.expect(data, "invalid_enum_value", "code")
			p.expect(data, "Hihg", "provided")
			p.expect(data, allowed, "suggestions")
			if data.text("details") == "" {
				h.Errorf("%s: %v", tool, data)
			}
		}
	}
	p.expect(p.do("task_list", fields{}), "1", "total")
}

func deletesTask(h *tasksHost) {
	p := h.open(plainConfig)
	id := p.create("To be deleted")
	for _, want := range []string{"deleted=true", "deleted=false"} {
		if got := p.texts("task_delete", fields{"id": id}); len(got) != 1 || got[0] != want {
			h.Errorf("got %q, want %s", got, want)
		}
	}
	p.expect(p.do("task_list", fields{}), "0", "total")
	if again := p.create("After it"); again == id {
		h.Errorf("the id %s is assigned twice", id)
	}
}

func creationMetadata(h *tasksHost) {
	p := h.open(plainConfig)
	got := p.do("task_create", fields{"title": "With defaults"})
	p.contains(got.text("metadata", "appliedDefaults"), `"field":"priority"`, `"field":"status"`, `"field":"type"`, `"value":"Medium"`, `"value":"Todo"`)
	p.expect(got, "TEST", "metadata", "enumHints", "projects", 0)
	got = p.do("task_create", fields{"title": "With values", "priority": "high", "status": "in_progress", "type": "BUG"})
	applied := got.text("metadata", "appliedDefaults")
	assert.NotContains(h.T, applied, "priority")
	assert.NotContains(h.T, applied, "status")
	assert.NotContains(h.T, applied, `"type"`)
	for name, want := range map[string]string{"priority": "High", "status": "InProgress", "task_type": "Bug"} {
		p.expect(got, want, "task", name)
	}
}

func payloadHints(h *tasksHost) {
	p := h.open(plainConfig)
	p.create("Any")
	for _, tool := range []string{"task_list", "sprint_backlog"} {
		got := p.do(tool, fields{"project": "TEST"})
		p.expect(got, `["Todo","InProgress","NeedsReview","Done"]`, "enumHints", "statuses")
		p.expect(got, `["TEST"]`, "enumHints", "projects")
	}
}

func listsProjects(h *tasksHost) {
	h.write(".tasks/ALFA/config.yml", "project_name: Alfa\n")
	h.write(".tasks/BETA/config.yml", "project_name: Beta\n")
	p := h.open("default_project: ALFA\n")
	got := p.do("project_list", fields{"limit": 1})
	for name, want := range map[string]string{"total": "2", "count": "1", "hasMore": "true", "nextCursor": "1"} {
		p.expect(got, want, name)
	}
	p.expect(got, "ALFA", "projects", 0, "prefix")
	for _, alias := range []string{"cursor", "offset"} {
		got = p.do("project_list", fields{"limit": 1, alias: got.at("nextCursor")})
		p.expect(got, "BETA", "projects", 0, "prefix")
		p.expect(got, "false", "hasMore")
		if got["nextCursor"] != nil {
			h.Errorf("nextCursor is %v", got["nextCursor"])
		}
		got["nextCursor"] = 1
	}
	p.expect(p.do("project_stats", fields{"name": "ALFA"}), "0", "open_count")
	p.expect(p.do("project_stats", fields{"name": "NONE"}), "0", "done_count")
}

func references(h *tasksHost) {
	h.git("init", "-q", "-b", "main")
	h.write("src/a.go", strings.Repeat("line\n", 20))
	h.git("add", "src")
	h.git("commit", "-q", "-m", "begin")
	p := h.open(plainConfig)
	id := p.create("With references")
	add := func(kind, value string) fields {
		return p.do("task_reference_add", fields{"id": id, "kind": kind, "value": value})
	}
	p.expect(add("link", "https://example.com/a"), "true", "changed")
	p.expect(add("file", "src/a.go"), "true", "changed")
	p.expect(add("code", "src/a.go#L3-L99"), "true", "changed")
	p.expect(add("code", "src/a.go#3-20"), "false", "changed")
	const stored = `[{"link":"https://example.com/a"},{"file":"src/a.go"},{"code":"src/a.go#3-20"}]`
	p.expect(p.do("task_get", fields{"id": id}), stored, "references")
	p.expect(p.do("task_reference_remove", fields{"id": id, "kind": "code", "value": "src/a.go#L3-L20"}), "true", "changed")
	p.expect(p.do("task_get", fields{"id": id}), `[{"link":"https://example.com/a"},{"file":"src/a.go"}]`, "references")
	other := p.create("Another")
	got := p.do("task_bulk_reference_add", fields{"ids": []string{id, other, "TEST-99"}, "kind": "link", "value": "https://example.com/a"})
	p.expect(got, "add", "action")
	p.expect(got, "false", "updated", 0, "changed")
	p.expect(got, "true", "updated", 1, "changed")
	p.expect(got, "TEST-99", "failed", 0, "id")
	got = p.do("task_bulk_reference_remove", fields{"ids": []string{id, other}, "kind": "link", "value": "https://example.com/a"})
	p.expect(got, "true", "updated", 1, "changed")
	if e := p.refused("task_reference_add", fields{"id": id, "kind": "link", "value": "javascript:x"}); e.Message != "Task reference add failed" {
		h.Errorf("got %+v", e)
	}
}

func explainsWhoami(h *tasksHost) {
	p := h.open(plainConfig + "default_reporter: dora\n")
	got := p.do("whoami", fields{"explain": true})
	p.expect(got, "dora", "user")
	p.expect(got, "dora", "explain", "user")
	p.expect(got, "100", "explain", "confidence")
	if p.do("whoami", fields{}).at("explain") != nil {
		h.Error("it explains without being asked")
	}
}

func comments(h *tasksHost) {
	p := h.open(plainConfig)
	id := p.create("With a comment")
	p.expect(p.do("task_comment_add", fields{"id": id, "text": " First "}), "comment_add", "action")
	got := p.do("task_comment_update", fields{"id": id, "index": 0, "text": "Second"})
	p.expect(got, "comment_update", "action")
	p.expect(got, "Second", "task", "comments", 0, "text")
	if list, _ := got.at("task", "comments").([]any); len(list) != 1 {
		h.Errorf("got %v", list)
	}
	for _, args := range []fields{{"id": id, "index": 3, "text": "x"}, {"id": id, "text": "x"}, {"id": id, "index": 0}} {
		if e := p.refused("task_comment_update", args); e.Code != -32602 {
			h.Errorf("%v: %+v", args, e)
		}
	}
	got = p.do("task_bulk_comment_add", fields{"ids": []string{id, "TEST-99"}, "text": "Third"})
	p.expect(got, id, "updated", 0, "id")
	p.expect(got, "TEST-99", "failed", 0, "id")
}

func strictMembers(h *tasksHost) {
	p := h.open(plainConfig + "strict_members: true\nmembers: [ada, bob]\n")
	e := p.refused("task_create", fields{"title": "By an outsider", "assignee": "eve", "reporter": "ada"})
	if e.Message != "Task create failed" {
		h.Errorf("got %+v", e)
	}
	p.contains(fields(e.Data).text("message"), "Assignee 'eve' is not in configured members", "Allowed members: ada, bob")
	if left, _ := filepath.Glob(filepath.Join(h.dir, ".chant", "specs", "*.md")); len(left) > 0 {
		h.Errorf("left %q", left)
	}
	if _, err := os.Stat(filepath.Join(h.tasksDir(), "TEST", "1.yml")); err == nil {
		h.Error("a file of lotar is written")
	}
	p.expect(p.do("task_create", fields{"title": "By a member", "assignee": "@Bob", "reporter": "ada"}), "Bob", "task", "assignee")
}
