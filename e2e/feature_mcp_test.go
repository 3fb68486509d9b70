package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// featureHooks are those of the documents of rstn, with commands that every system has.
const featureHooks = `hooks:
  lint:
    command: "echo 'All checks passed!'"
    timeout_secs: 60
  test:
    command: "printf '<%s>'"
    timeout_secs: 300
  format:
    command: "echo formatted; exit 2; :"
    timeout_secs: 60
`

// addFeature commits a feature with a list of ten tasks on a branch of its own, and returns its folder.
func (p *project) addFeature(name string) string {
	p.t.Helper()
	dir := "specs/" + name
	tasks := "# Tasks\n\n## Phase 1: Setup\n\n"
	for i := 1; i <= 10; i++ {
		tasks += fmt.Sprintf("- [ ] T%03d Task %d of %s\n", i, i, name)
	}
	p.git("checkout", "-q", "-b", name)
	for file, text := range map[string]string{
		dir + "/spec.md": "# Feature " + name + "\n\n**Feature Branch**: `" + name + "`\n", dir + "/plan.md": "# Plan of " + name + "\n",
		dir + "/tasks.md": tasks, dir + "/checklists/b.md": "- [ ] CHK002 Second\n", dir + "/checklists/a.md": "- [ ] CHK001 First\n",
		".rstn/hooks.yaml": featureHooks,
	} {
		p.write(file, text)
	}
	p.git("add", ".")
	p.git("commit", "-q", "-m", name)
	return dir
}

// caller makes calls over one transport.
type caller func(tool string, args map[string]any) (mcpReply, error)

// overBoth runs a test over a pipe and over HTTP, each with a server in a project of its own.
func overBoth(t *testing.T, prepare func(*project), check func(*testing.T, *project, caller)) {
	t.Helper()
	for _, transport := range []string{"pipe", "http"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			prepare(p)
			if transport == "http" {
				check(t, p, p.serveFeature(p.dir, "token", "--toolsets", "feature").call)
				return
			}
			m := p.serve(t, p.dir, "--toolsets", "feature")
			defer m.end()
			check(t, p, func(tool string, args map[string]any) (mcpReply, error) { return m.call(tool, args), nil })
		})
	}
}

// seedCase is a call and what it is answered with.
type seedCase struct {
	tool, want string // the text, whole
	args       fields
	isError    bool
}

func (c seedCase) check(t *testing.T, call caller) map[string]any {
	t.Helper()
	r, err := call(c.tool, c.args)
	if err != nil || r.Result.IsError != c.isError || r.text() != c.want {
		t.Errorf("%s %v: error %t, %v\ngot  %q\nwant %q", c.tool, c.args, r.Result.IsError, err, r.text(), c.want)
	}
	return r.Result.StructuredContent
}

// TestFeatureMCP_seed: the examples and errors of rstn's documents inside of a feature.
func TestFeatureMCP_seed(t *testing.T) {
	t.Parallel()
	const name = "060-mcp-server-infrastructure"
	overBoth(t, func(p *project) { p.addFeature(name) }, func(t *testing.T, p *project, call caller) {
		for _, c := range []seedCase{
			{tool: "rstn_get_context", want: `{"feature_number":"060","feature_name":"mcp-server-infrastructure","branch":"` + name + `","phase":"implement","spec_dir":"specs/` + name + `"}`},
			{tool: "rstn_report_status", args: fields{"status": "needs_input", "prompt": "Please describe the feature you want to implement"}, want: "Status 'needs_input' reported successfully"},
			{tool: "rstn_report_status", args: fields{"status": "completed"}, want: "Status 'completed' reported successfully"},
			{tool: "rstn_report_status", args: fields{"status": "error", "message": "Could not find spec directory for feature 060"}, want: "Status 'error' reported successfully"},
			{tool: "rstn_report_status", want: "Error: Missing 'status' field", isError: true},
			{tool: "rstn_report_status", args: fields{"status": ""}, want: "Error: Missing 'status' field", isError: true},
			{tool: "rstn_report_status", args: fields{"status": "done"}, want: "Error: Invalid status: done. Must be one of: needs_input, completed, error", isError: true},
			{tool: "rstn_report_status", args: fields{"status": 1}, want: "Error: Invalid status: 1. Must be one of: needs_input, completed, error", isError: true},
			{tool: "rstn_read_spec", args: fields{"artifact": "spec"}, want: "# Feature " + name + "\n\n**Feature Branch**: `" + name + "`\n"},
			{tool: "rstn_read_spec", args: fields{"artifact": "plan"}, want: "# Plan of " + name + "\n"},
			{tool: "rstn_read_spec", args: fields{"artifact": "checklist"}, want: "- [ ] CHK001 First\n\n- [ ] CHK002 Second\n"},
			{tool: "rstn_read_spec", args: fields{"artifact": "analysis"}, want: "Artifact 'analysis' not found. Feature context: mcp-server-infrastructure", isError: true},
			{tool: "rstn_read_spec", want: "Error: Missing 'artifact' field", isError: true},
			{tool: "rstn_read_spec", args: fields{"artifact": "novel"}, want: "Error: Invalid artifact: novel. Must be one of: spec, plan, tasks, checklist, analysis", isError: true},
			{tool: "rstn_complete_task", args: fields{"task_id": "T005", "skip_validation": true}, want: "Task T005 marked for completion. Processing..."},
			{tool: "rstn_complete_task", args: fields{"task_id": "T999"}, want: "Task T999 not found", isError: true},
			{tool: "rstn_complete_task", args: fields{"task_id": "T00"}, want: "Task T00 not found", isError: true},
			{tool: "rstn_complete_task", want: "Error: Missing 'task_id' field", isError: true},
			{tool: "rstn_run_hook", args: fields{"hook_name": "deploy"}, want: "Hook not found: deploy. Available: lint, test, format", isError: true},
			{tool: "rstn_run_hook", want: "Error: Missing 'hook_name' field", isError: true},
		} {
			c.check(t, call)
		}
		checkTicked(t, p, call)
		checkHooks(t, call)
		checkState(t, p, call)
	})
}

// checkTicked completes a task twice, with validation: one byte of the list differs from what was committed.
func checkTicked(t *testing.T, p *project, call caller) {
	t.Helper()
	for range 2 {
		got := seedCase{tool: "rstn_complete_task", args: fields{"task_id": "T001"}, want: "Task T001 marked for completion. Processing..."}.check(t, call)
		progress, _ := got["progress"].(map[string]any)
		next, _ := got["next_task"].(map[string]any)
		if got["completed"] != true || got["task_id"] != "T001" || progress["text"] != "2/10 tasks complete" || progress["done"] != 2.0 || progress["total"] != 10.0 || next["id"] != "T002" || next["description"] != "Task 2 of 060-mcp-server-infrastructure" {
			t.Errorf("got %v", got)
		}
	}
	file := "specs/060-mcp-server-infrastructure/tasks.md"
	src, err := os.ReadFile(filepath.Join(p.dir, file))
	want := strings.NewReplacer("[ ] T001", "[x] T001", "[ ] T005", "[x] T005").Replace(p.git("show", "HEAD:"+file) + "\n")
	if err != nil || string(src) != want {
		t.Errorf("the list is now %s, %v", src, err)
	}
}

// checkHooks runs the hooks of the documents.
func checkHooks(t *testing.T, call caller) {
	t.Helper()
	for _, tt := range []struct {
		args fields
		want string
	}{
		{fields{"hook_name": "lint"}, `{"hook_name":"lint","exit_code":0,"stdout":"All checks passed!","stderr":"","duration_secs":N}`},
		{fields{"hook_name": "test", "args": []string{"-v", "--tb=short"}}, `{"hook_name":"test","exit_code":0,"stdout":"<-v><--tb=short>","stderr":"","duration_secs":N}`},
		{fields{"hook_name": "test", "args": []string{"$(exit 1); 'a b'"}}, `{"hook_name":"test","exit_code":0,"stdout":"<$(exit 1); 'a b'>","stderr":"","duration_secs":N}`},
		{fields{"hook_name": "format"}, `{"hook_name":"format","exit_code":2,"stdout":"formatted","stderr":"","duration_secs":N}`},
	} {
		r, err := call("rstn_run_hook", tt.args)
		got := regexp.MustCompile(`"duration_secs":[0-9.]+`).ReplaceAllString(r.text(), `"duration_secs":N`)
		if err != nil || r.Result.IsError || got != tt.want {
			t.Errorf("%v: %v\ngot  %s\nwant %s", tt.args, err, got, tt.want)
		}
	}
}

// checkState reads the state as the documents have it.
func checkState(t *testing.T, p *project, call caller) {
	t.Helper()
	r, err := call("rstn_get_app_state", fields{})
	if err != nil || r.Result.IsError {
		t.Fatal(err, r.text())
	}
	var state struct {
		Running  bool            `json:"running"`
		View     string          `json:"current_view"`
		Root     string          `json:"project_root"`
		Active   map[string]any  `json:"active_workflows"`
		Worktree json.RawMessage `json:"worktree_view"`
	}
	var view struct {
		Commands []struct{ ID string } `json:"commands"`
		Selected *int                  `json:"selected_command_index"`
		Output   *string               `json:"workflow_output"`
		Message  string                `json:"status_message"`
	}
	if err := json.Unmarshal([]byte(r.text()), &state); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(state.Worktree, &view); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range view.Commands {
		ids = append(ids, c.ID)
	}
	if !state.Running || state.View != "worktree" || filepath.Base(state.Root) != filepath.Base(p.dir) || state.Active == nil {
		t.Errorf("state %s", r.text())
	}
	if strings.Join(ids, " ") != "specify plan tasks implement lint test format" || view.Selected == nil || *view.Selected != 3 || view.Output == nil || view.Message != "Ready" {
		t.Errorf("worktree %s", state.Worktree)
	}
}

// TestFeatureMCP_outside: the examples and errors of rstn's documents outside of a feature.
func TestFeatureMCP_outside(t *testing.T) {
	t.Parallel()
	prepare := func(p *project) {
		p.addFeature("060-mcp-server-infrastructure")
		p.git("checkout", "-q", "-b", "side")
	}
	overBoth(t, prepare, func(t *testing.T, p *project, call caller) {
		for _, c := range []seedCase{
			{tool: "rstn_get_context", want: `{"feature_number":null,"feature_name":null,"branch":null,"phase":null,"spec_dir":null}`},
			{tool: "rstn_read_spec", args: fields{"artifact": "spec"}, want: "Artifact 'spec' not found. Feature context: None", isError: true},
			{tool: "rstn_complete_task", args: fields{"task_id": "T001"}, want: "No feature context", isError: true},
		} {
			c.check(t, call)
		}
		p.git("checkout", "-q", "-b", "061-later")
		p.write("specs/061-later/spec.md", "# Later\n")
		p.write(".rstn/hooks.yaml", "hooks:\n  lint: {command: [x]}\n")
		for _, c := range []seedCase{
			{tool: "rstn_get_context", want: `{"feature_number":"061","feature_name":"later","branch":"061-later","phase":"plan","spec_dir":"specs/061-later"}`},
			{tool: "rstn_complete_task", args: fields{"task_id": "T001"}, want: "No task list loaded", isError: true},
			{tool: "rstn_run_hook", args: fields{"hook_name": "lint"}, want: "Error: .rstn/hooks.yaml:2: command must be a text\nhint: vi .rstn/hooks.yaml", isError: true},
		} {
			c.check(t, call)
		}
	})
}

// TestFeatureMCP_worktrees: of two servers in two worktrees, each answers about its own feature, whatever both are asked
// at the same time.
func TestFeatureMCP_worktrees(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.addFeature("060-one")
	p.git("checkout", "-q", "main")
	p.addFeature("061-two")
	p.git("worktree", "add", "-q", "../other", "060-one")
	other := filepath.Join(filepath.Dir(p.dir), "other")
	var all sync.WaitGroup
	for dir, name := range map[string]string{p.dir: "061-two", other: "060-one"} {
		call := p.serveFeature(dir, "token-"+name, "--toolsets", "feature").call
		foreign := map[string]string{"061-two": "060-one", "060-one": "061-two"}[name]
		for i, c := range []struct {
			tool string
			args fields
			want string
		}{
			{"rstn_get_app_state", fields{}, `"current_view"`},
			{"rstn_report_status", fields{"status": "completed"}, "reported"},
			{"rstn_read_spec", fields{"artifact": "tasks"}, "of " + name},
			{"rstn_get_context", fields{}, `"specs/` + name + `"`},
			{"rstn_complete_task", fields{"task_id": "T001"}, "T001"},
			{"rstn_complete_task", fields{"task_id": "T002", "skip_validation": true}, "T002"},
			{"rstn_complete_task", fields{"task_id": "T003", "skip_validation": true}, "T003"},
			{"rstn_run_hook", fields{"hook_name": "test", "args": []string{name}}, "<" + name + ">"},
		} {
			for range 3 {
				all.Go(func() {
					r, err := call(c.tool, c.args)
					structured, _ := json.Marshal(r.Result.StructuredContent)
					if err != nil || r.Result.IsError || !strings.Contains(r.text(), c.want) || strings.Contains(r.text()+string(structured), foreign) {
						t.Errorf("%d %s in %s: %v\n%s\n%s", i, c.tool, name, err, r.text(), structured)
					}
				})
			}
		}
	}
	all.Wait()
	for dir, name := range map[string]string{p.dir: "061-two", other: "060-one"} {
		src, err := os.ReadFile(filepath.Join(dir, "specs", name, "tasks.md"))
		if err != nil || strings.Count(string(src), "[x]") != 3 || strings.Count(string(src), "[ ]") != 7 {
			t.Errorf("%s: %s, %v", name, src, err)
		}
	}
}
