package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// TestAgents_tasks has the real claude plan a task over the tools of tasks, comment on it, put it into a sprint, have it
// worked by `chant work`, whose agent is claude again, and see that it is Done, with evidence.
func TestAgents_tasks(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/task and mcp")
	c := claudeCLI()
	work, program := c.words.greet(), chantBinary(t)
	model := fakemodel.StartScript(t, func(r fakemodel.Request) []fakemodel.Turn {
		if specPath.MatchString(r.Prompt) {
			return work(r)
		}
		return planATask(program)
	})
	p := newAgentProject(t, c, model)
	p.write(filepath.Join(p.dir, ".tasks", "config.yml"), "default:\n  project: AUTH\n  reporter: ada\n")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "Settings of tasks")
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"tasks": map[string]any{"command": p.chant, "args": []string{"mcp", "--toolsets", "tasks"}}}})
	assert.NoError(t, err)

	args := []string{
		"-p", "Plan the greeting, and have it worked.", "--mcp-config", string(servers), "--strict-mcp-config", "--model", "m",
		"--allowedTools", "Bash,mcp__tasks__task_create,mcp__tasks__task_comment_add,mcp__tasks__sprint_create,mcp__tasks__sprint_add,mcp__tasks__task_get",
	}
	r := execute(t, p.dir, p.env, filepath.Join(filepath.Dir(p.home), "bin", "claude"), args...)
	assert.Equal(t, 0, r.code, "claude: exit %s", r.stderr)
	assert.Contains(t, r.out, "It is done.", "claude: exit %s", r.stderr)

	var last string
	for _, request := range model.Requests() {
		if n := len(request.Results); n > 0 && !specPath.MatchString(request.Prompt) {
			last = request.Results[n-1].Text
		}
	}
	var seen struct {
		ID, Status, Verification string
		Comments                 []struct{ Text string }
		Sprints                  []int
		Commits                  []string
		History                  []struct {
			Changes []struct{ Field, New string }
		}
	}
	assert.NoError(t, json.Unmarshal([]byte(last), &seen), "the last result is not a task: %s", last)
	assert.Equal(t, "AUTH-1", seen.ID, "claude saw %s", last)
	assert.Equal(t, "Done", seen.Status, "claude saw %s", last)
	assert.Equal(t, "passed", seen.Verification, "claude saw %s", last)
	assert.NotEqual(t, 0, len(seen.Commits), "claude saw %s", last)
	assert.Equal(t, 1, len(seen.Sprints), "claude saw %s", last)
	assert.Equal(t, 1, len(seen.Comments), "claude saw %s", last)
	assert.NotEqual(t, 0, len(seen.History), "claude saw %s", last)
	_, err = os.Stat(filepath.Join(p.dir, "hello.txt"))
	assert.NoError(t, err, "the work did not land")
	assert.Contains(t, p.want(0, "task", "list", "--status", "done"), "AUTH-1")
	p.wantNobodyAlive()
}

// planATask lists the turns of a model that plans a task and has it worked.
func planATask(chant string) []fakemodel.Turn {
	v := claudeWords()
	tool := serverTools("mcp__tasks__")
	return oneByOne([]fakemodel.Call{
		tool("task_create", map[string]any{
			"title": "Greet the reader", "project": "AUTH", "priority": "High",
			"description": "In a file.\n\n## Acceptance Criteria\n\n- [ ] greeting exists `$ test -f hello.txt`\n- [ ] reads well",
		}),
		tool("task_comment_add", map[string]any{"id": "AUTH-1", "text": "For the first page"}),
		tool("sprint_create", map[string]any{"label": "First"}),
		tool("sprint_add", map[string]any{"tasks": []string{"AUTH-1"}, "sprint_id": 1}),
		v.shell("'" + chant + "' work AUTH-1 --provider claude --model m"),
		tool("task_get", map[string]any{"id": "AUTH-1"}),
	}, "It is done.")
}
