package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestTasksMCP_inspector lists the tools of tasks with the inspector and calls each of them.
func TestTasksMCP_inspector(t *testing.T) {
	t.Parallel()
	forRelease(t, "mcp")
	node, modules := npmPackage(t, "@modelcontextprotocol/inspector")
	h := &tasksHost{T: t, dir: filepath.Join(t.TempDir(), "workspace")}
	assert.NoError(t, os.MkdirAll(h.dir, 0o755))
	p := h.open(plainConfig)
	for _, title := range []string{"One", "Two", "To be deleted"} {
		p.create(title)
		p.sprint(fields{"label": title, "starts_at": day(-1)})
	}
	h.git("config", "user.name", "Ada") // the inspector passes on few variables
	h.git("config", "user.email", "ada@example.com")
	p.do("task_comment_add", fields{"id": "TEST-1", "text": "first"})
	env := append(append(os.Environ(), environment(filepath.Dir(h.dir))...), "LOTAR_TASKS_DIR="+h.tasksDir())
	inspect := func(t *testing.T, args ...string) string {
		t.Helper()
		inspector := filepath.Join(modules, ".bin", "mcp-inspector")
		r := execute(t, h.dir, env, node, append([]string{inspector, "--cli", chantBinary(t), "mcp", "--toolsets", "tasks"}, args...)...)
		assert.Equal(t, 0, r.code, "%q: exit %s %s", args, r.out, r.stderr)
		return r.out
	}
	list := inspect(t, "--method", "tools/list")
	ids, link := `ids=["TEST-1","TEST-2"]`, "value=https://example.com"
	calls := map[string][]string{
		"whoami": {"explain=true"}, "task_create": {"title=New", `tags=["api"]`}, "task_get": {"id=TEST-1"},
		"task_update":      {"id=TEST-1", `patch={"priority":"High"}`},
		"task_comment_add": {"id=TEST-2", "text=a comment"}, "task_comment_update": {"id=TEST-1", "index=0", "text=changed"},
		"task_bulk_update": {ids, `patch={"effort":"2h"}`}, "task_bulk_comment_add": {ids, "text=both"},
		"task_bulk_reference_add": {ids, "kind=link", link}, "task_bulk_reference_remove": {ids, "kind=link", link},
		"task_delete": {"id=TEST-3"}, "task_list": {"limit=2"}, "sprint_list": nil, "sprint_get": {"sprint_id=1"},
		"sprint_create": {"label=New"}, "sprint_update": {"sprint_id=2", "goal=more"}, "sprint_summary": {"sprint_id=1"},
		"sprint_burndown": {"sprint_id=1"}, "sprint_velocity": {"metric=tasks"}, "sprint_add": {"sprint_id=1", `tasks=["TEST-1"]`},
		"sprint_remove": {"sprint_id=2", `tasks=["TEST-2"]`}, "sprint_delete": {"sprint_id=3"}, "sprint_backlog": {"limit=5"},
		"project_list": nil, "project_stats": {"name=TEST"}, "config_show": nil, "config_set": {`values={"default_priority":"High"}`},
		"schema_discover": {"tool=whoami"}, "task_reference_add": {"id=TEST-1", "kind=jira", "value=ab-1"},
		"task_reference_remove": {"id=TEST-2", "kind=jira", "value=ab-1"},
	}
	assert.Equal(t, taskTools, len(calls))
	for tool, args := range calls {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			assert.Contains(t, list, `"name": "`+tool+`"`, "it is not listed")
			cmd := []string{"--method", "tools/call", "--tool-name", tool}
			for _, arg := range args {
				cmd = append(cmd, "--tool-arg", arg)
			}
			out := inspect(t, cmd...)
			assert.Contains(t, out, `"content"`)
			assert.NotContains(t, out, `"failed": [\n    {`)
		})
	}
}
