package e2e

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// loginCode is code that a spec and questions are about.
const loginCode = `package auth

// Authenticate checks a password.
func Authenticate(password string) bool { return password != "" }

func login() bool { return Authenticate("x") }

func start() bool { return login() }
`

// TestAgents_code has the real claude index, search and research code as a client of SwiftIndex does. Then it works a
// spec: its prompt quotes the code that this is about, chant answers in its worktree about what it has written there, and
// the work lands.
func TestAgents_code(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/code and mcp")
	c := claudeCLI()
	model := fakemodel.Start(t)
	p := newAgentProject(t, c, model)
	p.write(filepath.Join(p.dir, "auth", "login.go"), loginCode)
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "Log in")

	tool := serverTools("mcp__swiftindex__")
	model.Play(func(fakemodel.Request) []fakemodel.Turn {
		return oneByOne([]fakemodel.Call{
			tool("index_codebase", map[string]any{"path": p.dir}),
			tool("search_code", map[string]any{"query": "check a password", "limit": 1, "format": "json"}),
			tool("code_research", map[string]any{"query": "what calls Authenticate()"}),
		}, "I know now.")
	})
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"swiftindex": map[string]any{"command": p.chant, "args": []string{"mcp", "--toolsets", "code"}}}})
	assert.NoError(t, err)
	r := execute(t, p.dir, p.env, filepath.Join(filepath.Dir(p.home), "bin", "claude"),
		"-p", "Where is a password checked, and who asks for that?", "--mcp-config", string(servers), "--strict-mcp-config", "--model", "m",
		"--allowedTools", "mcp__swiftindex__index_codebase,mcp__swiftindex__search_code,mcp__swiftindex__code_research")
	assert.Equal(t, 0, r.code, "claude: exit %s", r.stderr)
	assert.Contains(t, r.out, "I know now.", "claude: exit %s", r.stderr)
	results := longest(model)
	for i, want := range [][]string{{`"indexed_files":`}, {`auth/login.go`, `Authenticate checks a password.`}, {`"login"`, `"start"`}} {
		for _, part := range want {
			assert.Equal(t, 3, len(results))
			assert.False(t, results[i].IsError, "%q is missing in %+v", part, results)
			assert.Contains(t, results[i].Text, part)
		}
	}

	p.configure("defaults: {model: " + c.model + "}\ncontext: {auto: 2000}")
	id := p.add("Authenticate twice: check a password again", "it is there `$ test -f auth/twice.go`")
	model.Play(script(func(at task) []fakemodel.Turn {
		return oneByOne([]fakemodel.Call{
			c.words.write(filepath.Join(at.tree, "auth", "twice.go"), "package auth\n\n// Twice checks a password again.\nfunc Twice() bool { return Authenticate(\"x\") }\n"),
			c.words.shell("'" + p.chant + "' code Twice --limit 1 --lines 0; '" + p.chant + "' research 'what calls Authenticate'"),
			c.words.shell("git add -A && git commit -q -m 'Check twice'"),
		}, "It is done.")
	}))
	p.want(0, "work", id, "--provider", c.name)
	prompt := last(model).Prompt
	assert.Contains(t, prompt, "### `auth/login.go`, lines 3 to 4", "the prompt does not quote the code:")
	assert.Contains(t, prompt, `func Authenticate(password string) bool`, "the prompt does not quote the code:")
	seen := ""
	for _, one := range last(model).Results {
		seen += one.Text
	}
	assert.Contains(t, seen, "auth/twice.go:3  function Twice", "chant answered in the worktree")
	assert.Contains(t, seen, "function login", "chant answered in the worktree")
	assert.Contains(t, p.git("show", "main:auth/twice.go"), "func Twice()")
	assert.HasPrefix(t, p.want(0, "code", "Twice", "--limit", "1", "--lines", "0"), "auth/twice.go:3 ", "what has landed is not found")
	p.wantNothingLeft()
}
