package e2e

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// TestAgents_feature has the real claude find the server by rstn's session file and use its six tools on a feature of
// spec-kit. Then chant works the feature where it is, and it lands.
func TestAgents_feature(t *testing.T) {
	t.Parallel()
	forRelease(t, "providers or mcp")
	c := claudeCLI()
	model := fakemodel.Start(t)
	p := newAgentProject(t, c, model)
	feature := filepath.Join(p.dir, "specs", "001-cart")
	p.write(filepath.Join(feature, "spec.md"), "# Feature Specification: A cart\n\n### User Story 1 - Fill it (Priority: P1)\n\n**Acceptance Scenarios**:\n\n1. **Given** a good, **When** it is put in, **Then** it is in it\n")
	p.write(filepath.Join(feature, "plan.md"), "# Plan\n\nUse sh.\n")
	p.write(filepath.Join(feature, "tasks.md"), "# Tasks\n\n- [ ] T001 Plan the cart\n- [ ] T002 [US1] Write cart.sh\n")
	p.write(filepath.Join(p.dir, ".specify", "feature.json"), `{"feature_directory": "specs/001-cart"}`)
	p.write(filepath.Join(p.dir, ".rstn", "hooks.yaml"), "hooks:\n  lint:\n    command: \"echo clean\"\n")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "Describe a cart")
	end := p.serveSession()

	tool := serverTools("mcp__rstn__")
	calls := []fakemodel.Call{
		tool("rstn_get_context", map[string]any{}), tool("rstn_read_spec", map[string]any{"artifact": "plan"}),
		tool("rstn_complete_task", map[string]any{"task_id": "T001"}), tool("rstn_run_hook", map[string]any{"hook_name": "lint"}),
		tool("rstn_get_app_state", map[string]any{}), tool("rstn_report_status", map[string]any{"status": "completed"}),
	}
	model.Play(func(fakemodel.Request) []fakemodel.Turn { return oneByOne(calls, "It is planned.") })
	var allowed []string
	for _, call := range calls {
		allowed = append(allowed, call.Name)
	}
	r := execute(t, p.dir, p.env, filepath.Join(filepath.Dir(p.home), "bin", "claude"), "-p", "Plan the cart.", "--model", "m",
		"--mcp-config", filepath.Join(p.home, ".rstn", "mcp-session.json"), "--strict-mcp-config", "--allowedTools", strings.Join(allowed, ","))
	assert.Equal(t, 0, r.code, "claude: exit %s", r.stderr)
	assert.Contains(t, r.out, "It is planned.", "claude: exit %s", r.stderr)
	results := longest(model) // claude passes the structured content on, where there is any
	for i, want := range []string{`"spec_dir":"specs/001-cart"`, "Use sh.", `"completed":true,"task_id":"T001"`, `"stdout":"clean"`, `"current_view"`, `"status":"completed"`} {
		assert.Equal(t, 6, len(results))
		assert.False(t, results[i].IsError, "%q is missing in %+v", want, results)
		assert.Contains(t, results[i].Text, want)
	}

	end()
	id := (&project{t: t, dir: p.dir, env: p.env, program: p.chant}).adoptOne("specs/001-cart")
	model.Play(script(func(at task) []fakemodel.Turn {
		chant := serverTools("mcp__chant__")
		return oneByOne([]fakemodel.Call{
			c.words.write(filepath.Join(at.tree, "cart.sh"), "echo cart\n"),
			chant("chant_criterion_check", map[string]any{"id": id, "criterion": "T002"}),
			chant("chant_criterion_check", map[string]any{"id": id, "criterion": "US1.1"}),
			c.words.shell("git add -A && git commit -q -m 'Write a cart'"),
		}, "It is done.")
	}))
	p.want(0, "work", id, "--provider", c.name)
	prompt := last(model).Prompt
	assert.Contains(t, prompt, "- `specs/001-cart/plan.md`", "the prompt does not name the folder:")
	assert.Contains(t, prompt, "check it as US1.1", "the prompt does not name the folder:")
	assert.Equal(t, "# Tasks\n\n- [x] T001 Plan the cart\n- [x] T002 [US1] Write cart.sh", p.git("show", "main:specs/001-cart/tasks.md"))
	p.wantNothingLeft()
}

// serveSession starts a server for clients of rstn, until end or the end of the test.
func (p *agentProject) serveSession() (end func()) {
	p.t.Helper()
	cmd := exec.Command(p.chant, "mcp", "--http", "--session", "rstn") // it ends in the cleanup
	cmd.Dir, cmd.Env, cmd.Stderr = p.dir, p.env, p.t.Output()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
			p.t.Error(err)
		}
	})
	p.t.Cleanup(end)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		p.t.Fatal(err)
	}
	return end
}
