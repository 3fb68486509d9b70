package e2e

import (
	"path/filepath"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// Traps of single CLIs. Others are met by the tests for all of them: codex's sandbox in
// a linked worktree and the approval of our tools, and that claude offers these at once,
// by TestAgents_land; gemini's exit codes and the silent retries of opencode by
// TestAgents_fail; tools in groups of their own by TestAgents_pause.

// TestAgents_sharedFolder has gemini work where others can write. There it reads no
// settings that it is pointed to, knows nothing of our server, and calls it a success:
// the log says why the criterion was not checked.
func TestAgents_sharedFolder(t *testing.T) {
	t.Parallel()
	c := geminiCLI()
	c.private = false
	c.settings = func(string) map[string]string {
		return map[string]string{".gemini/settings.json": `{"security": {"auth": {"selectedType": "gemini-api-key"}}}`}
	}
	model := fakemodel.StartScript(t, c.words.greet())
	p := newAgentProject(t, c, model)
	id := p.add("Greet the reader", "greeting exists `$ test -f hello.txt`", "reads well")

	p.want(9, "work", id, "--provider", c.name)

	p.wantFailed(id, "reads well")
	assert.Contains(t, p.log(id), "is not connected")
	p.wantNobodyAlive()
}

// TestAgents_noCache has codex work where the folder for caches is not there yet: its
// sandbox starts no command when one of the folders that it opens is missing.
func TestAgents_noCache(t *testing.T) {
	t.Parallel()
	c := codexCLI()
	c.private = false
	model := fakemodel.StartScript(t, c.words.greet())
	p := newAgentProject(t, c, model)
	p.env = append(p.env, "XDG_CACHE_HOME="+filepath.Join(p.home, "no", "cache"))
	id := p.add("Greet the reader", "greeting exists `$ test -f hello.txt`")

	p.want(0, "work", id, "--provider", c.name, "--model", c.model)

	assert.HasPrefix(t, p.git("show", "main:hello.txt"), "Hello", "hello.txt on main")
	p.wantNobodyAlive()
}

// TestAgents_shortKey gives copilot a key of one letter. It would hide every such letter in
// what it prints, and nothing it says could be read: it is not even started.
func TestAgents_shortKey(t *testing.T) {
	t.Parallel()
	c := copilotCLI()
	usual := c.env
	c.env = func(url string) []string { return append(usual(url), "COPILOT_PROVIDER_API_KEY=e") }
	model := fakemodel.StartScript(t, c.words.greet())
	p := newAgentProject(t, c, model)
	id := p.add("Greet the reader", "greeting exists `$ test -f hello.txt`", "reads well")

	r := execute(t, p.dir, p.env, p.chant, "work", id, "--provider", c.name)
	assert.NotEqual(t, 0, r.code)
	assert.Contains(t, r.stderr, "COPILOT_PROVIDER_API_KEY has fewer than 8 bytes")
	if s := p.show(id); s.Status != "pending" || len(model.Requests()) > 0 {
		t.Errorf("status %q after %d requests", s.Status, len(model.Requests()))
	}
	p.wantNobodyAlive()
}

// TestAgents_probe asks our server what claude and copilot ask first. One that says
// nothing to it costs them seconds at every start.
func TestAgents_probe(t *testing.T) {
	t.Parallel()
	for by, id := range map[string]string{"claude": `"probe"`, "copilot": "0"} {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			p := newMCPProject(t)
			m := p.serve(t, p.dir)
			m.write(`{"jsonrpc":"2.0","id":` + id + `,"method":"server/discover"}`)
			r := m.read()
			assert.Equal(t, id, string(r.ID))
			assert.NotZero(t, r.Error)
			assert.Equal(t, -32601, r.Error.Code)
			m.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"` + by + `","version":"1"}}}`)
			r = m.read()
			assert.Equal(t, "1", string(r.ID), "initialize after it is answered")
			assert.Zero(t, r.Error, "initialize after it is answered")
			m.end()
		})
	}
}
