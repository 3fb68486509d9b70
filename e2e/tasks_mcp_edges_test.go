package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestTasksMCP_readsBeforeProject answers reads in a repository that has commits but no .chant yet, and adds nothing.
func TestTasksMCP_readsBeforeProject(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	h.write("README.md", "Text\n")
	h.git("init", "-q", "-b", "main")
	h.git("add", "-A")
	h.git("commit", "-qm", "Begin")
	p := h.open("")
	for _, tool := range []string{"task_list", "project_list", "sprint_list", "sprint_backlog"} {
		p.expect(p.do(tool, fields{}), "0", "total")
	}
	p.expect(p.do("sprint_velocity", fields{}), "0", "count")
	p.expect(p.do("project_stats", fields{"name": "NONE"}), "0", "open_count")
	if e := p.refused("task_get", fields{"id": "NONE-1"}); e.Code != -32004 {
		h.Errorf("got %+v", e)
	}
	if _, err := os.Stat(filepath.Join(h.dir, ".chant")); err == nil {
		h.Error("reading made a project")
	}
	p.create("First")
	p.expect(p.do("task_list", fields{}), "1", "total")
}

// TestTasksMCP_doneWithOtherCriteria refuses a call that completes a task and changes what it is judged by.
func TestTasksMCP_doneWithOtherCriteria(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	p := h.open(plainConfig)
	id := p.create("Judged", "description", "Text\n\n## Acceptance Criteria\n\n- [ ] It is so")
	for _, description := range []string{
		"", "No criteria", "## Acceptance Criteria\n", "## acceptance criteria\n\nNone\n", "## Acceptance Criteria\n\n- [x] It is so\n",
		"## Acceptance Criteria\n\n- [x] Something else\n", "```\n## Acceptance Criteria\n", "<!--\n",
	} {
		patch := fields{"status": "Done", "description": description}
		if e := p.refused("task_update", fields{"id": id, "patch": patch}); e.Code != -32005 || !strings.Contains(fmt.Sprint(e.Data), "It is so") {
			h.Errorf("%q: %+v", description, e)
		}
		got := p.do("task_bulk_update", fields{"ids": []string{id}, "patch": patch})
		p.expect(got, "[]", "updated")
		p.expect(got, id, "failed", 0, "id")
	}
	p.expect(p.do("task_get", fields{"id": id}), "Todo", "status")
}

// TestTasksMCP_createDone leaves no task behind if one that is to be done cannot be.
func TestTasksMCP_createDone(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	p := h.open(plainConfig)
	p.create("First")
	tree := h.git("rev-parse", "HEAD^{tree}")
	e := p.refused("task_create", fields{"title": "Open", "status": "Done", "description": "## Acceptance Criteria\n\n- [ ] It is so"})
	assert.Equal(h.T, -32000, e.Code)
	assert.Contains(h.T, fmt.Sprint(e.Data), "It is so")
	assert.NotContains(h.T, fmt.Sprint(e.Data), "hint")
	p.expect(p.do("task_list", fields{}), "1", "total")
	if now := h.git("rev-parse", "HEAD^{tree}"); now != tree || h.git("status", "--short", "--", ".chant") != "" {
		h.Error("the refused task changed the project")
	}
}

// TestTasksMCP_namesNoTask: an id that cannot be one, and one of another project, name no task.
func TestTasksMCP_namesNoTask(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	p := h.open(plainConfig)
	id := p.create("Stays")
	for _, args := range []fields{{"id": "../../etc/passwd"}, {"id": strings.Repeat("x", 5000)}, {"id": id, "project": "OTHER"}} {
		e := p.refused("task_get", args)
		assert.Equal(h.T, -32004, e.Code)
		assert.Equal(h.T, "Task not found", e.Message)
		assert.NotEqual(h.T, "", fmt.Sprint(e.Data["message"]))
		if got := p.texts("task_delete", args); got[0] != "deleted=false" {
			h.Errorf("%v: %v", args, got)
		}
	}
	p.expect(p.do("task_get", fields{"id": id, "project": strings.ToLower(strings.Split(id, "-")[0])}), "Stays", "title")
	e := p.refused("task_create", fields{"title": "a\x07b"})
	if !strings.Contains(fmt.Sprint(e.Data), "title holds the control character U+0007") {
		h.Errorf("got %+v", e)
	}
	e = p.refused("task_create", fields{"title": "Dashes", "tags": []string{"---"}})
	if strings.Contains(e.Message, "Valid values") || fmt.Sprint(e.Data["suggestions"]) != "[]" {
		h.Errorf("got %+v", e)
	}
}

// TestTasksMCP_untracked gives tasks that git ignores the times of their files, and accepts their numbers.
func TestTasksMCP_untracked(t *testing.T) {
	t.Parallel()
	h := newTasksHost(t)
	h.write(".gitignore", ".chant\n")
	h.git("init", "-q", "-b", "main")
	h.git("add", "-A")
	h.git("commit", "-qm", "Begin")
	p := h.open(plainConfig)
	id := p.create("Untracked")
	for _, got := range []fields{p.do("task_get", fields{"id": id}), p.do("task_list", fields{})["tasks"].([]any)[0].(map[string]any)} {
		if got.text("created") == "" || got.text("modified") == "" {
			h.Errorf("got %v", got)
		}
	}
	p.sprint(fields{"label": "First"})
	p.expect(p.do("sprint_add", fields{"sprint": 1, "tasks": []string{"1"}}), id, "modified", 0)
}
