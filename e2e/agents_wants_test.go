package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// wantFailed checks what the project says of a spec whose agent failed.
func (p *agentProject) wantFailed(id, reason string) {
	p.t.Helper()
	p.wantStatus(id, "failed", reason)
}

// wantStatus checks what the project says of a spec, and why.
func (p *agentProject) wantStatus(id, status, reason string) {
	p.t.Helper()
	s := p.show(id)
	if s.Status != status || !strings.Contains(s.Fields.Reason, reason) {
		p.t.Errorf("status %q, reason %q, want %s and %q in the reason\n%s", s.Status, s.Fields.Reason, status, reason, p.log(id))
	}
}

// shown is the part of `show --json` that is looked at.
type shown struct {
	Status   string
	Fields   struct{ Reason string }
	Criteria []struct{ ID string }
	Attempts []struct {
		Agent *struct {
			Usage  *fakemodel.Usage
			Denied []string
		}
	}
}

func (p *agentProject) show(id string) (s shown) {
	p.t.Helper()
	src := p.want(0, "show", id, "--json")
	if err := json.Unmarshal([]byte(src), &s); err != nil {
		p.t.Fatalf("%s\n%s", err, src)
	}
	return s
}

// log is what the agent of a spec said.
func (p *agentProject) log(id string) string {
	p.t.Helper()
	log, err := os.ReadFile(filepath.Join(p.dir, ".chant", "logs", id+".log"))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(log)
}

// wantTools checks that the model was offered the tools of our server at once, where
// the CLI does not hide them, and that each call of the greeter was answered.
func (p *agentProject) wantTools(c realCLI, model *fakemodel.Server) {
	p.t.Helper()
	hidden := len(c.words.first)
	offered := model.Requests()[slices.IndexFunc(model.Requests(), func(r fakemodel.Request) bool { return len(r.Tools) > 0 })].Tools
	if want := c.words.mcp("chant_spec_get", nil).Name; hidden == 0 && !slices.Contains(offered, want) {
		p.t.Errorf("the first request offers no %s but %q", want, offered)
	}
	results := longest(model)
	if len(results) != hidden+4 || !strings.Contains(results[hidden].Text, "- [ ] reads well") {
		p.t.Errorf("answers of the tools:\n%+v", results)
	}
}

// wantUsage checks that the usage of the only attempt is what the model reported.
func (p *agentProject) wantUsage(id string, model *fakemodel.Server) {
	p.t.Helper()
	attempts := p.show(id).Attempts
	if len(attempts) != 1 || attempts[0].Agent == nil {
		p.t.Fatalf("attempts %+v", attempts)
	}
	got := attempts[0].Agent.Usage
	if want, _ := model.Spent(); got == nil || *got != want {
		p.t.Errorf("usage %+v, the model reported %+v", got, want)
	}
}

// wantOnce checks that of a conversation that was gone on with nothing is counted twice:
// the sum that a CLI reports includes its earlier reports.
func (p *agentProject) wantOnce(id string, model *fakemodel.Server) {
	p.t.Helper()
	var all struct {
		Usage struct {
			Cached int `json:"tokens_cached"`
			Writes int `json:"tokens_cache_write"`
			In     int `json:"tokens_in"`
			Out    int `json:"tokens_out"`
		}
	}
	if err := json.Unmarshal([]byte(p.want(0, "show", id, "--json")), &all); err != nil {
		p.t.Fatal(err)
	}
	told, truth := all.Usage.In+all.Usage.Cached+all.Usage.Writes+all.Usage.Out, 0
	for _, r := range model.Requests() {
		u := r.Usage
		truth += u.Input + u.CachedInput + u.CacheWrites + u.Output
	}
	if told == 0 || told > truth {
		p.t.Errorf("%d tokens are reported, the model reported %d", told, truth)
	}
}

// wantNothingLeft checks that of a landed run only its history remains.
func (p *agentProject) wantNothingLeft() {
	p.t.Helper()
	if got := p.git("worktree", "list", "--porcelain"); strings.Count(got, "worktree ") != 1 {
		p.t.Errorf("worktrees left:\n%s", got)
	}
	if got := p.git("branch", "--format=%(refname:short)"); got != "main" {
		p.t.Errorf("branches %q, want main alone", got)
	}
	if got := p.git("status", "--porcelain"); got != "" {
		p.t.Errorf("git status is not clean:\n%s", got)
	}
	p.wantNobodyAlive()
}

// wantNobodyAlive checks that no process of the project runs any more.
func (p *agentProject) wantNobodyAlive() {
	p.t.Helper()
	for _, line := range processesAt(p.t, p.home) {
		p.t.Errorf("still alive: %s", line)
	}
}

// nobodyLeft checks that, whatever was done there, no process that has this home runs on.
func nobodyLeft(t testing.TB, home string) {
	t.Helper()
	var alive []string
	assert.True(t, eventually(func() bool { alive = processesAt(t, home); return len(alive) == 0 }), "still alive: %s", strings.Join(alive, "\n"))
}

// processesAt lists the processes that have this home; only Linux shows the
// environments of others.
func processesAt(t testing.TB, home string) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	assert.NoError(t, err)
	var found []string
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(env, []byte("HOME="+home+"\x00")) {
			continue // another user's, or gone meanwhile
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline")) // empty says enough
		found = append(found, fmt.Sprintf("%s %q", filepath.Base(filepath.Dir(file)), bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
	}
	return found
}
