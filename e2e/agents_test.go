package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// These tests run the whole program with the real agent CLIs; only the models behind
// them are scripted. They are skipped where a CLI is not installed.

// TestAgents_land has each agent work a spec: it asks our server for the spec, edits,
// commits by its shell and checks a criterion over our server. The run lands, what it
// usage is reported to the token, and nothing remains.
func TestAgents_land(t *testing.T) {
	t.Parallel()
	for _, c := range realCLIs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := fakemodel.StartScript(t, c.words.greet())
			p := newAgentProject(t, c, model)
			id := p.add("Greet the reader", "greeting exists `$ test -f hello.txt`", "reads well")

			p.want(0, "work", id, "--provider", c.name, "--model", c.model)

			p.wantTools(c, model)
			merges := strings.Fields(p.git("log", "--first-parent", "--merges", "--format=%P", "main"))
			assert.Equal(t, 2, len(merges), "parents of merges on main %q, want one merge with two parents", merges)
			assert.Contains(t, p.git("log", "--format=%s", "main"), "Greet the reader", "the agent's own commit is not on main:")
			assert.Equal(t, "Hello, reader", p.git("show", "main:hello.txt"), "hello.txt on main")
			onMain := p.git("show", "main:.chant/specs/"+id+".md")
			for _, want := range []string{"\nstatus: completed\n", "\nmodel: ", "- [x] greeting exists", "- [x] reads well"} {
				assert.Contains(t, onMain+"\n", want, "spec on main lacks %s", onMain)
			}
			assert.NotContains(t, p.log(id), "has never asked", "the agent has not asked our server for its tools:")
			assert.Contains(t, p.log(id), greeted, "log lacks what the agent said last:")
			p.wantUsage(id, model)
			p.wantNothingLeft()
		})
	}
}

// overTime is what ends a CLI that does not give up by itself, or not soon.
const overTime = "time limit"

// trouble is what goes wrong with the model, and what is said of it.
type trouble struct {
	name   string
	befall func(*fakemodel.Server)
	reason string
	by     map[string]string // the reason of those that say it in other words
}

func troubles() []trouble {
	fail := func(status int) func(*fakemodel.Server) {
		return func(s *fakemodel.Server) { s.Fail(status) }
	}
	return []trouble{
		{name: "too many requests", befall: fail(http.StatusTooManyRequests), reason: "429", by: map[string]string{
			"gemini": "Too Many Requests", "opencode": overTime, "qwen": overTime, "copilot": overTime,
		}},
		{name: "outage", befall: fail(http.StatusInternalServerError), reason: "500", by: map[string]string{
			"codex": "high demand", "opencode": overTime, "qwen": overTime, "copilot": overTime,
		}},
		{name: "cut", befall: (*fakemodel.Server).Cut, reason: "API Error", by: map[string]string{
			"openai": "invalid answer", "ollama": "invalid answer", "anthropic": "invalid answer",
			"codex": "stream disconnected", "opencode": overTime, "copilot": "unexpected EOF",
		}},
		{name: "hang", befall: (*fakemodel.Server).Hang, reason: overTime},
	}
}

// said is what the agent's failure is put down to.
func (tc trouble) said(by realCLI) string {
	if reason, ok := tc.by[by.name]; ok {
		return reason
	}
	return tc.reason
}

// TestAgents_fail has the model fail each agent: the run ends within its limit, says
// why, moves nothing and leaves no process. Trouble that an agent waits out is the same to a run as a model that hangs.
func TestAgents_fail(t *testing.T) {
	t.Parallel()
	for _, c := range realCLIs() {
		for _, tc := range troubles() {
			if tc.said(c) == overTime && tc.name != "hang" {
				continue
			}
			t.Run(c.name+"/"+tc.name, func(t *testing.T) {
				t.Parallel()
				model := fakemodel.Start(t, fakemodel.Turn{Text: strings.Repeat("Never said whole. ", 20)})
				tc.befall(model)
				p := newAgentProject(t, c, model)
				id := p.add("Greet the reader", "reads well")
				before := p.git("rev-parse", "main")
				args := []string{"work", id, "--provider", c.name, "--model", c.model}
				if tc.said(c) == overTime {
					args = append(args, "--timeout", "4s")
				}

				p.want(8, args...)

				p.wantFailed(id, tc.said(c))
				assert.Equal(t, before, p.git("rev-parse", "main"))
				p.wantNobodyAlive()
			})
		}
	}
}

// TestAgents_denied has the agent refused a tool and give up. All of them call that a
// success; the run does not, for nothing was done.
func TestAgents_denied(t *testing.T) {
	t.Parallel()
	for _, c := range realCLIs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := fakemodel.Start(t)
			p := newAgentProject(t, c, model)
			model.Play(c.words.giveUp(p.home))
			id := p.add("Greet the reader", "reads well")

			p.want(8, "work", id, "--provider", c.name, "--model", c.model)

			p.wantFailed(id, "without a commit or a change")
			assert.Equal(t, c.words.refused, strings.Join(p.show(id).Attempts[0].Agent.Denied, " "), "reported as denied")
			if len(longest(model)) != 1 {
				t.Errorf("answers of the tools: %+v", longest(model))
			}
			_, err := os.Stat(filepath.Join(p.home, "forbidden.txt"))
			assert.Error(t, err, "what is forbidden was done")
			p.wantNobodyAlive()
		})
	}
}

// longest are the answers of tools in the request that has most of them.
func longest(model *fakemodel.Server) []fakemodel.Result {
	var most []fakemodel.Result
	for _, r := range model.Requests() {
		if len(r.Results) > len(most) {
			most = r.Results
		}
	}
	return most
}
