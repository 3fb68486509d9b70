package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"chant/mcp/prompts"

	"github.com/alecthomas/assert/v2"
)

func writePrompt(t *testing.T, dir, name, text string) {
	t.Helper()
	folder := filepath.Join(dir, ".chant", "prompts")
	assert.NoError(t, os.MkdirAll(folder, 0o755))
	assert.NoError(t, os.WriteFile(filepath.Join(folder, name+".md"), []byte(text), 0o644))
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	dir, id := oneSpec(t)
	writePrompt(t, dir, "review", "---\npurpose: Look twice\n---\nLook at {{spec.id}}.\n")
	send := func(method, params string) string {
		return piped(t, opener(dir), Options{}, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)[0]
	}
	for _, tt := range []struct{ method, params, want string }{
		{"prompts/list", `{}`, `{"name":"review","description":"Look twice","arguments":[{"name":"id",`},
		{"prompts/list", `{}`, `"name":"standard"`},
		{"prompts/list", `{}`, `{"name":"plan","title":"Plan an idea","description":"Have specs drafted for an idea, whose criteria can fail","arguments":[{"name":"idea","description":"What is wanted","required":true}]}`},
		{"prompts/list", `{}`, `{"name":"spec","title":"Write a spec",`},
		{"prompts/get", `{"name":"plan"}`, `prompt \"plan\" requires the argument \"idea\"`},
		{"prompts/get", `{"name":"plan","arguments":{"idea":"Sort {{it}}"}}`, `## What is wanted\n\nSort {{it}}\n`},
		{"prompts/get", `{"name":"plan","arguments":{"idea":"Sort it"}}`, "\"text\":\"# Plan an idea\\n"},
		{"prompts/get", `{"name":"spec","arguments":{"description":"Sort it"}}`, `Run each command now.`},
		{"prompts/get", `{"name":"review"}`, `"description":"Look twice","messages":[{"role":"user","content":{"type":"text","text":"Look at {{spec.id}}.\n"}}]`},
		{"prompts/get", `{"name":"review","arguments":{"id":"001"}}`, `"text":"Look at ` + id + `.\n"`},
		{"prompts/get", `{"name":"standard","arguments":{"id":"001"}}`, id},
		{"prompts/get", `{"name":"nope"}`, `"error":{"code":-32602,"message":"no prompt \"nope\"`},
		{"prompts/get", `{"name":"prompt"}`, `"error":{"code":-32602,"message":"no prompt \"prompt\"`},
		{"prompts/get", `{"name":"../config"}`, `"error":{"code":-32602,`},
		{"prompts/get", `{}`, `"error":{"code":-32602,`},
		{"prompts/get", `{"name":"review","arguments":{"\u0000name":"standard"}}`, `Look at`},
		{"prompts/get", `{"name":"review","arguments":{"id":"999"}}`, `"error":{"code":-32602,"message":"no spec matches \"999\"`},
		{"prompts/get", `{"name":"review","arguments":{"speed":"9"}}`, `prompts take no argument \"speed\"`},
		{"prompts/get", `{"name":"review","arguments":{"id":7}}`, `"error":{"code":-32602,`},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"id","value":"00"}}`, `"values":["` + id + `"]`},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"speed","value":""}}`, `"values":[]`},
	} {
		assert.Contains(t, send(tt.method, tt.params), tt.want, "%s %s", tt.method, tt.params)
	}
	if got := piped(t, nowhere, Options{}, `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`)[0]; got != `{"jsonrpc":"2.0","result":{"prompts":[]},"id":1}` {
		t.Errorf("without a project got %s", got)
	}
}

func TestPrompts_listInPages(t *testing.T) {
	t.Parallel()
	dir := project(t, nil)
	const n = prompts.PageSize + 5
	for i := range n {
		writePrompt(t, dir, fmt.Sprintf("a%03d", i), "Do it.\n")
	}
	var first, second struct {
		Prompts []struct{ Name string } `json:"prompts"`
		Next    string                  `json:"nextCursor"`
	}
	list := func(cursor string, into any) {
		result(t, piped(t, opener(dir), Options{}, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":%q}}`, cursor))[0], into)
	}
	list("", &first)
	list(first.Next, &second)
	assert.Equal(t, prompts.PageSize, len(first.Prompts))
	assert.True(t, len(second.Prompts) > n-prompts.PageSize, "pages of %d and %d prompts, then %q", len(first.Prompts), len(second.Prompts), second.Next)
	assert.Equal(t, "", second.Next)
	assert.Equal(t, "a100", second.Prompts[0].Name)
}

// writeCommand writes a prompt file of a command of an agent.
func writeCommand(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, ".agent", filepath.FromSlash(name))
	assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	assert.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// TestPrompts_commands lists commands beside the prompts of the project, with their arguments, and renders them.
func TestPrompts_commands(t *testing.T) {
	t.Parallel()
	dir, id := oneSpec(t)
	writeCommand(t, dir, "climpt/prompts/git/group-commit/all_changes/f_default.md", "---\nc1: git\nc2: group-commit\nc3: all_changes\ntitle: Group\n"+
		"description: Group changes\noptions: {edition: [default, short], file: true, stdin: true, destination: true}\nuv:\n  - scope: Which folder\n---\n"+
		"Commit {uv-scope} of {uv-spec_id} for {input_text}, {destination_path}, {input_text_file}.\n")
	writeCommand(t, dir, "climpt/prompts/git/group-commit/all_changes/f_short.md", "Briefly: {uv-scope}.\n")
	writeCommand(t, dir, "../.chant/templates/bugfix.md", "---\ndescription: Fix a bug\nvariables:\n  - name: issue\n    description: Number\n    required: true\n"+
		"  - name: branch\n    default: main\n---\n# Fix {{issue}} on {{branch}}\n")
	writeCommand(t, dir, "scout/prompts/steps/plan/next/f_default.md", "---\nc1: steps\nc2: plan\nc3: next\ntitle: Plan\n---\nPlan.\n")
	send := func(method, params string) string {
		return piped(t, opener(dir), Options{}, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)[0]
	}
	const name = "git_group-commit_all_changes"
	get := func(arguments string) string {
		return `{"name":"` + name + `","arguments":` + arguments + `}`
	}
	complete := func(argument, value string) string {
		return fmt.Sprintf(`{"ref":{"type":"ref/prompt","name":%q},"argument":{"name":%q,"value":%q}}`, name, argument, value)
	}
	for _, tt := range []struct{ method, params, want string }{
		{"prompts/list", `{}`, `{"name":"` + name + `","title":"Group","description":"Group changes","arguments":[{"name":"scope","description":"Which folder","required":true},{"name":"input_text",`},
		{"prompts/list", `{}`, `{"name":"edition","description":"One of default, short"},{"name":"id","description":"Spec ID (full or partial) to fill it in for"}]}`},
		{"prompts/list", `{}`, `"name":"scout_steps_plan_next"`},
		{"prompts/list", `{}`, `"name":"standard"`},
		{"prompts/get", get(`{"scope":"a"}`), `"text":"Commit a of {uv-spec_id} for {input_text}, stdout, stdin.\n"`},
		{"prompts/get", get(`{"scope":"{uv-scope}","input_text":"x","destination":"d","file":"f"}`), `"text":"Commit {uv-scope} of {uv-spec_id} for x, d, f.\n"`},
		{"prompts/get", get(`{"scope":"a","id":"001","input_text":"x"}`), `"text":"Commit a of ` + id + ` for x,`},
		{"prompts/get", get(`{"scope":"a","edition":"short"}`), `"description":"Group changes","messages":[{"role":"user","content":{"type":"text","text":"Briefly: a.\n"}}]`},
		{"prompts/get", get(`{"scope":"a","edition":"long"}`), `"error":{"code":-32602,"message":"unknown edition \"long\"`},
		{"prompts/get", get(`{}`), `"error":{"code":-32602,"message":"prompt \"` + name + `\" requires the argument \"scope\""`},
		{"prompts/get", get(`{"scope":"a","speed":"9"}`), `prompts take no argument \"speed\"`},
		{"prompts/get", `{"name":"git_group-commit_all"}`, `"error":{"code":-32602,"message":"no prompt`},
		{"prompts/get", `{"name":"scout_steps_plan_next"}`, `"text":"Plan.\n"`},
		{"prompts/list", `{}`, `{"name":"spec_add_bugfix","title":"bugfix","description":"Fix a bug","arguments":[{"name":"issue",`},
		{"prompts/list", `{}`, `{"name":"issue","description":"Number","required":true},{"name":"branch"},{"name":"id",`},
		{"prompts/get", `{"name":"spec_add_bugfix","arguments":{"issue":"7"}}`, `# Fix 7 on main\n`},
		{"prompts/get", `{"name":"spec_add_bugfix"}`, `requires the argument \"issue\"`},
		{"completion/complete", complete("edition", "s"), `"values":["short"]`},
		{"completion/complete", complete("id", "00"), `"values":["` + id + `"]`},
		{"completion/complete", complete("scope", ""), `"values":[]`},
		{"completion/complete", complete("adaptation", ""), `"values":[]`},
	} {
		assert.Contains(t, send(tt.method, tt.params), tt.want, "%s %s", tt.method, tt.params)
	}
	assert.NotContains(t, send("prompts/list", `{}`), "spec_work_standard", "a prompt of chant is listed twice")
	writeCommand(t, dir, "climpt/registry.json", "{broken")
	got := send("prompts/list", `{}`)
	assert.Contains(t, got, `"name":"standard"`, "with a broken registry")
	assert.Contains(t, got, "scout_steps", "with a broken registry")
}
