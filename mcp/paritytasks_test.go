package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// sameTask is what can be done to tasks by a tool and by a command. A command that takes several tasks has another
// result than a tool for one; then the parts are compared to which the words lead, numbers being indexes.
type sameTask struct {
	tool              string
	args              map[string]any
	chant             string
	inTool, inCommand string
}

func sameTasks() []sameTask {
	one := func(more map[string]any) map[string]any {
		args := map[string]any{"id": "TEST-1"}
		for k, v := range more {
			args[k] = v
		}
		return args
	}
	both := func(more map[string]any) map[string]any {
		args := map[string]any{"ids": []string{"TEST-1", "TEST-9", "TEST-2"}}
		for k, v := range more {
			args[k] = v
		}
		return args
	}
	patch := map[string]any{"patch": map[string]any{"priority": "high", "tags": []string{"api"}, "status": "in_progress"}}
	const patched, link = " --priority high --tag api --status in_progress", "https://example.com"
	linked := map[string]any{"kind": "link", "value": link}
	return []sameTask{
		{"whoami", map[string]any{"explain": true}, "whoami --explain", "", ""},
		{"task_create", map[string]any{"title": "New", "priority": "high", "effort": "3"}, "task create New --priority high --effort 3", "", ""},
		{"task_get", one(nil), "task show TEST-1", "", ""},
		{"task_list", map[string]any{"limit": 1, "status": "todo"}, "task list --limit 1 --status todo", "", ""},
		{"task_update", one(patch), "task update TEST-1" + patched, "", "updated 0"},
		{"task_bulk_update", both(patch), "task update TEST-1 TEST-9 TEST-2" + patched, "", ""},
		{"task_comment_add", one(map[string]any{"text": "first"}), "task comment TEST-1 -m first", "task", "updated 0"},
		{"task_bulk_comment_add", both(map[string]any{"text": "first"}), "task comment TEST-1 TEST-9 TEST-2 -m first", "", ""},
		{"task_comment_update", map[string]any{"id": "TEST-2", "index": 0, "text": "second"}, "task comment TEST-2 --index 0 -m second", "", ""},
		{"task_reference_add", one(linked), "task reference add link " + link + " TEST-1", "task", "updated 0 task"},
		{"task_bulk_reference_add", both(linked), "task reference add link " + link + " TEST-1 TEST-9 TEST-2", "", ""},
		{"task_reference_remove", map[string]any{"id": "TEST-2", "kind": "link", "value": "https://example.com/2"}, "task reference remove link https://example.com/2 TEST-2", "task", "updated 0 task"},
		{"task_bulk_reference_remove", both(linked), "task reference remove link " + link + " TEST-1 TEST-9 TEST-2", "", ""},
		{"task_delete", one(nil), "task delete TEST-1", "", ""},
		{"project_list", nil, "task projects", "", ""},
		{"project_stats", map[string]any{"name": "TEST"}, "task projects TEST", "", ""},
		{"config_show", nil, "task config", "", ""},
		{"config_set", map[string]any{"values": map[string]any{"default_priority": "High"}, "global": true}, "task config set default_priority=High --global", "", ""},
	}
}

// sameSprints is what can be done to sprints.
func sameSprints() []sameTask {
	sprint := map[string]any{"sprint_id": 1}
	return []sameTask{
		{"sprint_list", map[string]any{"limit": 1}, "sprint list --limit 1", "", ""},
		{"sprint_get", sprint, "sprint show 1", "", ""},
		{"sprint_create", map[string]any{"label": "New", "plan_length": "2w"}, "sprint create New --length 2w", "", ""},
		{"sprint_update", map[string]any{"sprint_id": "#2", "goal": "more"}, "sprint update 2 --goal more", "", ""},
		{"sprint_summary", sprint, "sprint summary 1", "", ""},
		{"sprint_burndown", sprint, "sprint burndown 1", "totals", "totals"},
		{"sprint_velocity", map[string]any{"limit": "3"}, "sprint velocity --limit 3", "", ""},
		{"sprint_add", map[string]any{"sprint_id": 2, "tasks": "TEST-2"}, "sprint add --to 2 TEST-2", "", ""},
		{"sprint_remove", map[string]any{"sprint_id": 1, "tasks": []string{"TEST-1"}}, "sprint remove --from 1 TEST-1", "", ""},
		{"sprint_delete", map[string]any{"sprint_id": 1, "cleanup_missing": true}, "sprint delete 1 --cleanup-missing", "", ""},
		{"sprint_backlog", map[string]any{"limit": 5}, "sprint backlog --limit 5", "", ""},
	}
}

// withoutCommand lists the tools of tasks that no command does.
func withoutCommand() []string {
	// the command line has help, and a process that remembers nothing
	return []string{"schema_discover", "climpt_reload", "check_indexing_status"}
}

// tasks are a workspace with two tasks.
func (p place) tasks() {
	p.t.Helper()
	p.fill()
	p.write(".tasks/config.yml", "default_project: TEST\nmembers: [Ada, bob]\n")
	p.git("add", ".")
	p.git("commit", "-q", "-m", "settings")
	p.chant("task", "create", "One", "--assignee", "bob")
	p.chant("task", "create", "Two")
	p.chant("task", "comment", "TEST-2", "-m", "zero")
	p.chant("task", "reference", "add", "link", "https://example.com/2", "TEST-2")
}

// sprints are a closed sprint with the first task, and one that has not begun.
func (p place) sprints() {
	p.t.Helper()
	p.tasks()
	p.chant("sprint", "create", "First", "--starts-at", "2026-01-05")
	p.chant("sprint", "create", "Second")
	p.chant("sprint", "add", "--to", "1", "TEST-1")
	p.chant("sprint", "start", "1", "--at", "2026-01-05")
	p.chant("sprint", "close", "1", "--at", "2026-01-19")
}

// part is what names and indexes lead to.
func part(v any, words string) any {
	for _, word := range strings.Fields(words) {
		switch at := v.(type) {
		case map[string]any:
			v = at[word]
		case []any:
			if len(at) == 0 {
				return nil
			}
			v = at[0]
		}
	}
	return v
}

// TestParity_tasks does the same thing by a command and by a tool, each in a workspace of its own.
func TestParity_tasks(t *testing.T) {
	t.Parallel()
	for i, tt := range append(sameTasks(), sameSprints()...) {
		t.Run(fmt.Sprint(i, " ", tt.tool), func(t *testing.T) {
			t.Parallel()
			fixture, fill := &withTasks, place.tasks
			if strings.HasPrefix(tt.tool, "sprint_") {
				fixture, fill = &withSprints, place.sprints
			}
			one, two := copyPlace(t, fixture, fill), copyPlace(t, fixture, fill)
			out, errs, _ := one.run(strings.NewReader(""), append(strings.Fields(tt.chant), "--json")...)
			assert.NotEqual(t, "", out, "chant %s prints nothing: %s", tt.chant, errs)
			structured, text, _ := two.call(tt.tool, tt.args)
			want, got := one.plain(part(parse(t, out), tt.inCommand)), two.plain(part(structured, tt.inTool))
			assert.True(t, want != nil, "got  %v\nwant %v\n%s", got, want, text)
			assert.Equal(t, want, got, "got %s", text)
		})
	}
}
