package e2e

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// slowScript reports that it has started, and ends when it may.
const slowScript = `
## Script

` + "```sh" + `
echo said by the agent
echo made > made.txt
: > "$HOME/started"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
` + "```" + `
`

const slowSpec = "---\nstatus: pending\n---\n# Greet slowly\n" + slowScript + "\n## Acceptance Criteria\n\n- [ ] made `$ test -s made.txt`\n"

const slowID = "2026-01-03-008-slo"

// outside is a path beside the project, where scripts leave and find their marks.
func (p *project) outside(name string) string { return filepath.Join(filepath.Dir(p.dir), name) }

// mark makes a file there.
func (p *project) mark(name string) {
	p.t.Helper()
	if err := os.WriteFile(p.outside(name), nil, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// await returns once something is so, or stops the test after a minute.
func (p *project) await(what string, so func() bool) {
	p.t.Helper()
	if !eventually(so) {
		p.t.Fatalf("%s: not within a minute\n%s", what, p.chant("work", "list"))
	}
}

func (p *project) awaitMark(name string) {
	p.t.Helper()
	p.await(name, func() bool { _, err := os.Stat(p.outside(name)); return err == nil })
}

// awaitEnd returns once no process is at work on a spec.
func (p *project) awaitEnd() {
	p.t.Helper()
	p.await("the end of the run", func() bool { return !strings.Contains(p.chant("work", "list"), "running") })
}

// startSlow starts a run of the spec that lasts until the test ends, and returns
// the run's worktree.
func (p *project) startSlow(id string) string {
	p.t.Helper()
	if runtime.GOOS == "windows" {
		p.t.Skip("a signal cannot be sent to one process")
	}
	text, err := os.ReadFile(filepath.Join(p.dir, ".chant", "specs", id+".md"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.addFile(id, strings.Replace(string(text), "\n## Acceptance", slowScript+"\n## Acceptance", 1))
	p.chant("work", id, "--detach")
	p.t.Cleanup(func() {
		if out, err := p.command("pause", id).CombinedOutput(); err != nil {
			p.t.Errorf("pause: %v\n%s", err, out)
		}
	})
	p.awaitMark("started")
	return filepath.Join(p.dir, ".chant", "worktrees", id)
}

// TestMCP_workStart starts a run by one tool and sees it through to its landing by
// the others.
func TestMCP_workStart(t *testing.T) {
	t.Parallel()
	p := newMCPProject(t)
	p.addFile(slowID, slowSpec)
	m := p.serve(t, p.dir)
	id := map[string]any{"id": "008"}
	started := m.do("chant_work_start", id)
	assert.True(t, started["spec_id"] == slowID, "started %v", started)
	assert.True(t, started["started"] == true, "started %v", started)
	p.awaitMark("started")
	row := m.onlyRun("running")
	assert.True(t, row["spec_id"] == slowID, "at work: %v, started as %v", row, started)
	assert.True(t, row["title"] == "Greet slowly", "at work: %v, started as %v", row, started)
	assert.True(t, row["pid"] == started["pid"], "at work: %v, started as %v", row, started)
	assert.True(t, row["branch"] == "chant/"+slowID, "at work: %v, started as %v", row, started)
	got := m.do("chant_spec_get", id)
	assert.True(t, got["status"] == "in_progress", "at work: %v", got)
	m.refused("process", "chant_work_start", id)
	m.refused("process", "chant_spec_update", map[string]any{"id": "008", "output": "x"})
	p.await("the agent's line in the log", func() bool {
		got := m.do("chant_log", id)
		return got["running"] == true && strings.Contains(got["content"].(string), "said by the agent")
	})

	p.mark("go")
	p.awaitEnd()
	got = m.do("chant_spec_get", id)
	assert.True(t, got["status"] == "completed", "landed: %v", got)
	assert.True(t, got["landed"] == true, "landed: %v", got)
	m.onlyRun("")
	assert.Equal(t, "made", p.git("show", "main:made.txt"))
	m.refused("", "chant_work_start", id)
	m.end()
	p.nothingRuns()
}

// TestMCP_pauseAndTakeover stops runs that a tool has started, and lets one go on.
func TestMCP_pauseAndTakeover(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a signal cannot be sent to one process")
	}
	p := newMCPProject(t)
	p.addFile(slowID, slowSpec)
	m := p.serve(t, p.dir)
	id := map[string]any{"id": "008"}
	m.do("chant_work_start", id)
	p.awaitMark("started")
	if got := m.do("chant_pause", id); got["status"] != "paused" {
		t.Errorf("paused: %v", got)
	}
	m.onlyRun("")
	if got := m.do("chant_spec_get", id); got["status"] != "paused" {
		t.Errorf("paused: %v", got)
	}

	assert.NoError(t, os.Remove(p.outside("started")))
	m.do("chant_work_start", id)
	p.awaitMark("started")
	m.onlyRun("running")
	got := m.do("chant_takeover", id)
	tree := filepath.Join(p.dir, ".chant", "worktrees", slowID)
	open, _ := got["open_criteria"].([]any)
	assert.True(t, got["worktree_path"] == tree, "taken over: %v", got)
	assert.True(t, got["status"] == "paused", "taken over: %v", got)
	assert.Equal(t, 1, len(open))
	assert.Contains(t, got["log_tail"].(string), "said by the agent")
	m.onlyRun("")
	src, err := os.ReadFile(filepath.Join(tree, "made.txt"))
	assert.NoError(t, err, "the agent's work")
	assert.Equal(t, "made\n", string(src), "the agent's work")

	p.mark("go")
	m.do("chant_work_start", id)
	p.awaitEnd()
	got = m.do("chant_spec_get", id)
	assert.True(t, got["status"] == "completed", "went on: %v", got)
	assert.True(t, got["landed"] == true, "went on: %v", got)
	m.end()
	p.nothingRuns()
}

// TestMCP_endLeavesRunsAlone ends the server in each way there is; the run that it
// started continues and lands.
func TestMCP_endLeavesRunsAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a signal cannot be sent to one process")
	}
	for name, end := range map[string]func(*mcpPipe){
		"end of input": (*mcpPipe).end,
		"SIGINT":       func(m *mcpPipe) { m.signal(os.Interrupt) },
		"SIGTERM":      func(m *mcpPipe) { m.signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newMCPProject(t)
			p.addFile(slowID, slowSpec)
			m := p.serve(t, p.dir)
			m.do("chant_work_start", map[string]any{"id": "008"})
			p.awaitMark("started")
			end(m)
			assert.Contains(t, p.chant("work", "list"), slowID+"  running", "runs once the server has ended:")
			p.mark("go")
			p.awaitEnd()
			got := p.chant("show", slowID)
			assert.Contains(t, got, "completed", "the run did not land:")
			assert.Equal(t, "made", p.git("show", "main:made.txt"), "the run did not land:")
		})
	}
}

// TestMCP_signalStopsLongCalls ends the server while a call waits for a command,
// which goes with it.
func TestMCP_signalStopsLongCalls(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a signal cannot be sent to one process")
	}
	for name, sig := range map[string]os.Signal{"SIGINT": os.Interrupt, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newMCPProject(t)
			p.addFile(slowID, "---\nstatus: pending\n---\n# Check slowly\n\n## Acceptance Criteria\n\n- [ ] long `$ : > \"$HOME/started\"; sleep 1000`\n")
			m := p.serve(t, p.dir)
			m.begin("chant_verify", map[string]any{"id": "008", "run": true})
			p.awaitMark("started")
			assert.NoError(t, m.cmd.Process.Signal(sig))
			r := m.read()
			assert.True(t, r.Result.IsError, "the call is answered with %+v", r)
			m.wait()
			p.nothingRuns()
		})
	}
}

// onlyRun returns the one run under way, which has this status; "" wants none.
func (m *mcpPipe) onlyRun(status string) map[string]any {
	m.t.Helper()
	got := m.do("chant_work_list", map[string]any{})
	runs, _ := got["processes"].([]any)
	if status == "" {
		if len(runs) > 0 {
			m.t.Errorf("runs %v, want none", got)
		}
		return nil
	}
	if len(runs) != 1 || runs[0].(map[string]any)["status"] != status {
		m.t.Fatalf("runs %v, want one that is %s", got, status)
	}
	return runs[0].(map[string]any)
}

// nothingRuns returns once no process of the project is left.
func (p *project) nothingRuns() {
	p.t.Helper()
	p.await("the end of all processes", func() bool { return len(processesAt(p.t, filepath.Dir(p.dir))) == 0 })
}
