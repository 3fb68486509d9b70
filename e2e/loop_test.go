package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chant/e2e/fakemodel"
	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// These tests run chant's own loop as a run starts it: a process of its own before a
// scripted model. The loop itself is tested in its package.

// loopProject is a project whose provider is the loop before a fake model.
func loopProject(t *testing.T, api string, model *fakemodel.Server) *project {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripted model speaks sh")
	}
	p := newProject(t)
	endpoint := model.URL()
	if api == "openai" {
		endpoint += "/v1"
	}
	p.env = append(p.env, "LOOP_KEY=a-key-for-the-loop")
	p.write(".chant/config.md", "---\ndefaults: {provider: mine, model: small}\nretry: {max_retries: 0}\nproviders:\n  mine: {api: "+api+
		", endpoint: "+endpoint+", key_env: LOOP_KEY, max_retries: 2, retry_delay_ms: 1}\n---\n")
	p.git("add", ".chant/config.md")
	p.git("commit", "-q", "-m", "Settings")
	return p
}

const threeFiles = "---\ntype: code\nstatus: pending\n---\n# Three files\n\n## Acceptance Criteria\n\n" +
	"- [ ] All are there `$ test -f one.txt && test -f two.txt && test -f sub/three.txt`\n- [ ] They read well\n"

// threeFilesTurns is a model that works it, tries to leave the worktree, and forgets a
// process in the background.
func threeFilesTurns(id string) []fakemodel.Turn {
	one := func(name string, input map[string]any) fakemodel.Turn {
		return fakemodel.Turn{Calls: []fakemodel.Call{{Name: name, Input: input}}}
	}
	return []fakemodel.Turn{
		one("chant_spec_get", map[string]any{"id": id}),
		one("write_file", map[string]any{"path": "../outside.txt", "content": "no"}),
		one("write_file", map[string]any{"path": "one.txt", "content": "first\n"}),
		one("edit_file", map[string]any{"path": "one.txt", "old_text": "first", "new_text": "1st"}),
		one("write_file", map[string]any{"path": "sub/three.txt", "content": "3rd\n"}),
		one("run_command", map[string]any{"command": "sleep 600 & cp one.txt two.txt && git add -A && git commit -q -m Files && echo key=$LOOP_KEY."}),
		one("chant_criterion_check", map[string]any{"id": id, "criterion": "2"}),
		{Text: "All three are there."},
	}
}

func TestLoop_lands(t *testing.T) {
	t.Parallel()
	for _, api := range []string{"openai", "ollama", "anthropic"} {
		t.Run(api, func(t *testing.T) {
			t.Parallel()
			const id = "2026-01-02-001-thr"
			model := fakemodel.Start(t, threeFilesTurns(id)...)
			p := loopProject(t, api, model)
			p.addFile(id, threeFiles)
			model.FailTimes(1, 500)
			p.chant("work", id)
			assert.Equal(t, "3rd1st", p.git("show", "main:sub/three.txt")+p.git("show", "main:two.txt"))
			_, err := os.Stat(filepath.Join(p.dir, ".chant", "worktrees", "outside.txt"))
			assert.Error(t, err, "the loop wrote outside of its worktree")
			spent, answers := model.Spent()
			report := p.agentReport(id)
			want := (providers.Usage{Input: spent.Input, CachedInput: spent.CachedInput, CacheWrites: spent.CacheWrites, Output: spent.Output})
			assert.NotZero(t, report.Usage)
			assert.Equal(t, want, *report.Usage)
			assert.Equal(t, answers, report.Turns)
			assert.True(t, report.OK, "%+v with %+v, want %+v in %d turns", report, report.Usage, want, answers)
			assert.Equal(t, "All three are there.", report.Text)
			assert.Equal(t, 1, len(report.Denied))
			assert.Equal(t, "write_file", report.Denied[0])
			log := p.read(".chant/logs/" + id + ".log")
			for _, want := range []string{"warning: attempt 2 of 3", "denied: ", "result: key=.", "- [ ] They read well", "finished: ok"} {
				assert.Contains(t, log, want)
			}
			p.atRest()
		})
	}
}

type loopReport struct {
	OK     bool
	Text   string
	Turns  int
	Usage  *providers.Usage
	Denied []string
}

// agentReport is what the journal has of the agent that ended last.
func (p *project) agentReport(id string) (found loopReport) {
	p.t.Helper()
	for line := range strings.Lines(p.read(".git/chant/runs/" + id + ".jsonl")) {
		var rec struct {
			Step, State string
			Data        json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			p.t.Fatal(err)
		}
		if rec.Step == "agent" && rec.State == "done" {
			if err := json.Unmarshal(rec.Data, &found); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	return found
}

func (p *project) read(name string) string {
	p.t.Helper()
	src, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(name)))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(src)
}
