package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// invocation returns a complete one, with a PATH that holds the programs of
// this machine and, first, a folder with the named ones.
func invocation(t *testing.T, programs ...string) providers.Invocation {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake programs are shell scripts")
	}
	root := t.TempDir()
	in := providers.Invocation{
		SpecID: "2026-11-20-001-abc", SpecFile: filepath.Join(root, "spec.md"), Title: "A title",
		Worktree: filepath.Join(root, "worktrees", "abc"), Branch: "chant/abc",
		PromptFile: filepath.Join(root, "prompt.md"), Project: "demo", Model: "opus",
		Attempt: 2, Timeout: 90 * time.Second, RunID: "run-1", Home: root,
		StateDir: filepath.Join(root, "state"),
	}
	bin := filepath.Join(root, "bin")
	for _, dir := range []string{in.Worktree, in.StateDir, bin} {
		assert.NoError(t, os.MkdirAll(dir, 0o700))
	}
	for _, name := range programs {
		write(t, filepath.Join(bin, name), "#!/bin/sh\n", 0o700)
	}
	write(t, in.PromptFile, "the prompt\n", 0o600)
	in.Environ = []string{"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "KEPT=yes", "GIT_AUTHOR_NAME=Ann"}
	return in
}

// must is the provider of this name.
func must(t *testing.T, name string) providers.Provider {
	t.Helper()
	p, ok := Provider(name)
	assert.True(t, ok, "no provider %q", name)
	return p
}

func write(t *testing.T, file, content string, mode os.FileMode) {
	t.Helper()
	assert.NoError(t, os.WriteFile(file, []byte(content), mode))
}

func TestNames(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "claude codex gemini opencode qwen copilot cursor kiro openai ollama anthropic shell", strings.Join(Names(), " "))
	for _, name := range Names() {
		p, ok := Provider(name)
		assert.True(t, ok, "%q: %v %v", name, p, ok)
		assert.Equal(t, name, p.Name())
	}
	_, ok := Provider("none")
	assert.False(t, ok, "a provider of no name")
}

func TestShell(t *testing.T) {
	t.Parallel()
	in := invocation(t)
	in.Script = "pwd\necho $CHANT_SPEC_ID $CHANT_ATTEMPT\nfalse\necho not reached"
	l, err := Shell().Prepare(in)
	assert.NoError(t, err)
	o, err := providers.Run(context.Background(), l, providers.Limits{}, providers.Watch{})
	assert.NoError(t, err)
	assert.False(t, o.OK, "outcome %+v, %v", o, err)
	assert.Equal(t, 1, o.Exit.Code)
	assert.Equal(t, in.Worktree+"\n2026-11-20-001-abc 2\n", o.Text)
	entries, _ := os.ReadDir(in.Worktree)
	assert.Zero(t, entries, "worktree holds %v", entries)
}

func TestShell_noScript(t *testing.T) {
	t.Parallel()
	in := invocation(t)
	in.Script = " \n"
	var e *providers.ConfigError
	_, err := Shell().Prepare(in)
	assert.True(t, errors.As(err, &e), "error %v", err)
	assert.Contains(t, e.Error(), `no `+"```sh"+` block under a heading "Script"`)
}

func TestClaude_missing(t *testing.T) {
	t.Parallel()
	in := invocation(t)
	in.Environ = []string{"PATH=" + in.StateDir}
	var missing *providers.MissingError
	_, err := must(t, "claude").Prepare(in)
	assert.True(t, errors.As(err, &missing), "error %v", err)
	assert.Equal(t, providers.MissingError{Provider: "claude", Binary: "claude"}, *missing)
	in.PromptFile = ""
	var config *providers.ConfigError
	_, err = must(t, "claude").Prepare(in)
	assert.True(t, errors.As(err, &config), "error %v", err)
}

func TestClaude_command(t *testing.T) {
	t.Parallel()
	in := invocation(t, "claude")
	config := filepath.Join(in.StateDir, "mcp.json")
	write(t, config, "old, and readable by all", 0o644)
	with := in
	with.MCP = &providers.MCPServer{Command: "/bin/chant", Args: []string{"mcp"}, Env: map[string]string{"K": "V"}}
	bare := in
	bare.Model = ""
	for _, tt := range []struct {
		in     providers.Invocation
		args   string
		config string
	}{
		{with,
			"-p --output-format stream-json --verbose --include-partial-messages --model opus --mcp-config " + config +
				" --strict-mcp-config --permission-mode dontAsk --allowedTools mcp__chant,Bash,Read,Edit,Write,Glob,Grep",
			`{"mcpServers":{"chant":{"type":"stdio","command":"/bin/chant","args":["mcp"],"env":{"GIT_AUTHOR_NAME":"Ann","K":"V",` +
				`"CHANT_ATTEMPT":"2","CHANT_BRANCH":"chant/abc","CHANT_PAGER":"cat","CHANT_PROJECT":"demo","CHANT_RUN_ID":"run-1","CHANT_SPEC_FILE":"` + in.SpecFile + `","CHANT_SPEC_ID":"2026-11-20-001-abc",` +
				`"CHANT_WORKTREE":"1","CHANT_WORKTREE_PATH":"` + in.Worktree + `","GIT_CEILING_DIRECTORIES":"` + filepath.Dir(in.Worktree) + `"},"alwaysLoad":true}}}`},
		{bare,
			"-p --output-format stream-json --verbose --include-partial-messages --mcp-config " + config +
				" --strict-mcp-config --permission-mode dontAsk --allowedTools mcp__chant,Bash,Read,Edit,Write,Glob,Grep",
			`{"mcpServers":{}}`},
	} {
		l, err := must(t, "claude").Prepare(tt.in)
		assert.NoError(t, err)
		assert.Equal(t, tt.args, strings.Join(l.Args, " "))
		assert.Equal(t, in.PromptFile, l.Stdin)
		assert.Equal(t, in.Worktree, l.Dir)
		assert.Equal(t, "claude", filepath.Base(l.Path))
		for _, want := range []string{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"} {
			assert.SliceContains(t, l.Env, want)
		}
		checkConfig(t, config, tt.config)
	}
}

// checkConfig compares the written configuration, and who may read it.
func checkConfig(t *testing.T, file, want string) {
	t.Helper()
	content, err := os.ReadFile(file)
	assert.NoError(t, err)
	var got, wanted any
	assert.NoError(t, json.Unmarshal(content, &got))
	_ = json.Unmarshal([]byte(want), &wanted)
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(wanted)
	assert.Equal(t, string(b), string(a))
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestCustom(t *testing.T) {
	t.Parallel()
	in := invocation(t, "my-agent")
	in.Branch = "{{model}}"
	p, err := New(Definition{
		Name: "mine", Command: "my-agent",
		Args: []Group{words("--in={{prompt_file}}", "{{ spec_file }}", "a b {{worktree}}", "{{model}}{{spec_id}}", "{{branch}}", "{{ open", "}}"), optionalWords("--go-on", "{{session}}"), optionalWords("-m", "{{model|json}}")},
		Env:  map[string]string{"M": "is {{model}}", "KEPT": "no"},
	})
	assert.NoError(t, err)
	l, err := p.Prepare(in)
	assert.NoError(t, err)
	want := []string{"--in=" + in.PromptFile, in.SpecFile, "a b " + in.Worktree, "opus" + in.SpecID, "{{model}}", "{{ open", "}}", "-m", `"opus"`}
	assert.Equal(t, want, l.Args)
	assert.SliceContains(t, l.Env, "M=is opus")
	assert.SliceContains(t, l.Env, "KEPT=no")
	assert.Equal(t, "", l.Stdin)
	assert.Equal(t, "mine", p.Name())
}

func TestCustom_refused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]Definition{
		"no command":              {Name: "mine"},
		"placeholder in argument": {Name: "mine", Command: "x", Args: []Group{words("{{model}}", "{{prompt}}")}},
		"placeholder in command":  {Name: "mine", Command: "{{home}}/x"},
		"placeholder in variable": {Name: "mine", Command: "x", Env: map[string]string{"K": "{{}}"}},
		"spelling of a value":     {Name: "mine", Command: "x", Args: []Group{words("{{model|xml}}")}},
		"variable name":           {Name: "mine", Command: "x", Env: map[string]string{"A=B": "x"}},
		"form of a config":        {Name: "mine", Command: "x", MCP: "other"},
		"form of events":          {Name: "mine", Command: "x", Events: "other"},
	} {
		var e *providers.ConfigError
		p, err := New(c)
		assert.True(t, p == nil, "%s: %v, %v", name, p, err)
		assert.True(t, errors.As(err, &e), "%s: %v, %v", name, p, err)
		assert.Equal(t, "mine", e.Provider, "%s", name)
		assert.NotEqual(t, "", e.Msg, "%s", name)
	}
}

func TestCustom_lookup(t *testing.T) {
	t.Parallel()
	in := invocation(t, "found")
	write(t, filepath.Join(in.Worktree, "local"), "#!/bin/sh\n", 0o700)
	write(t, filepath.Join(in.Worktree, "plain"), "no program\n", 0o600)
	in.Environ = []string{strings.Replace(in.Environ[0], "PATH=", "PATH=.:", 1)}
	for command, ok := range map[string]bool{
		"found": true, "./local": true, filepath.Join(in.Worktree, "local"): true,
		"local": false, "./plain": false, "./none": false, "no-such-program": false,
		in.Worktree: false, "{{model}}": false,
	} {
		p, err := New(Definition{Name: "mine", Command: command})
		assert.NoError(t, err)
		l, err := p.Prepare(in)
		var missing *providers.MissingError
		assert.False(t, ok && (err != nil || !filepath.IsAbs(l.Path)), "%q: %q, %v", command, l.Path, err)
		assert.False(t, !ok && !errors.As(err, &missing), "%q: %q, %v", command, l.Path, err)
	}
}

// TestCodex_writableDirs holds that no folder is named to codex's sandbox that is not
// there: it would then start no command at all.
func TestCodex_writableDirs(t *testing.T) {
	t.Parallel()
	in := ready(t, "codex")
	cache := filepath.Join(in.StateDir, `a "cache"`)
	in.Environ = append(in.Environ, "XDG_CACHE_HOME="+cache)
	git := `sandbox_workspace_write.writable_roots=["` + in.Common + `","` + in.GitDir + `"`
	assert.SliceContains(t, prepare(t, must(t, "codex"), in).Args, git+"]", "without a cache")
	assert.NoError(t, os.Mkdir(cache, 0o700))
	l := prepare(t, must(t, "codex"), in)
	assert.SliceContains(t, l.Args, git+","+quoteJSON(cache)+"]", "with a cache")
	in.Common = ""
	l = prepare(t, must(t, "codex"), in)
	assert.NotContains(t, strings.Join(l.Args, " "), "writable_roots", "without git: %q", l.Args)
}

// TestCopilot_shortKey holds that a key is refused that copilot would hide in every word.
func TestCopilot_shortKey(t *testing.T) {
	t.Parallel()
	for key, refused := range map[string]bool{"e": true, "1234567": true, "12345678": false, "": false} {
		in := ready(t, "copilot")
		in.Environ = append(in.Environ, "COPILOT_PROVIDER_API_KEY="+key)
		var config *providers.ConfigError
		_, err := must(t, "copilot").Prepare(in)
		assert.Equal(t, refused, errors.As(err, &config), "key %q", key)
	}
}

// TestPrepare_ownProgram: a program of the project is found in the worktree or, before there is one, in home.
func TestPrepare_ownProgram(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	home, tree := t.TempDir(), filepath.Join(t.TempDir(), "none")
	assert.NoError(t, os.WriteFile(filepath.Join(home, "own.sh"), []byte("#!/bin/sh\n"), 0o755))
	in := providers.Invocation{Worktree: tree, Home: home}
	path, err := find("own", "./own.sh", in)
	assert.NoError(t, err, "before the worktree")
	assert.Equal(t, filepath.Join(home, "own.sh"), path, "before the worktree")
	assert.NoError(t, os.Mkdir(tree, 0o755))
	path, err = find("own", "./own.sh", in)
	assert.Error(t, err, "in a worktree without it: %q", path)
}
