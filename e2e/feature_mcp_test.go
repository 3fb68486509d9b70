package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err, "%s: %s", name, src)
		assert.Equal(t, 3, strings.Count(string(src), "[x]"), "%s: %s", name, src)
		assert.Equal(t, 7, strings.Count(string(src), "[ ]"), "%s: %s", name, src)
	}
}
