package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/providers"
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
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
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
	if !ok {
		t.Fatalf("no provider %q", name)
	}
	return p
}

func write(t *testing.T, file, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	if got := strings.Join(Names(), " "); got != "claude codex gemini opencode qwen copilot cursor kiro openai ollama anthropic shell" {
		t.Errorf("names %q", got)
	}
	for _, name := range Names() {
		if p, ok := Provider(name); !ok || p.Name() != name {
			t.Errorf("%q: %v %v", name, p, ok)
		}
	}
	if _, ok := Provider("none"); ok {
		t.Error("a provider of no name")
	}
}

func TestShell(t *testing.T) {
	t.Parallel()
	in := invocation(t)
	in.Script = "pwd\necho $CHANT_SPEC_ID $CHANT_ATTEMPT\nfalse\necho not reached"
	l, err := Shell().Prepare(in)
	if err != nil {
		t.Fatal(err)
	}
	o, err := providers.Run(context.Background(), l, providers.Limits{}, providers.Watch{})
	if err != nil || o.OK || o.Exit.Code != 1 {
		t.Errorf("outcome %+v, %v", o, err)
	}
	if want := in.Worktree + "\n2026-11-20-001-abc 2\n"; o.Text != want {
		t.Errorf("output %q, want %q", o.Text, want)
	}
	if entries, _ := os.ReadDir(in.Worktree); len(entries) != 0 {
		t.Errorf("worktree holds %v", entries)
	}
}

func TestShell_noScript(t *testing.T) {
	t.Parallel()
	in := invocation(t)
	in.Script = " \n"
	var e *providers.ConfigError
	if _, err := Shell().Prepare(in); !errors.As(err, &e) || !strings.Contains(e.Error(), `no `+"```sh"+` block under a heading "Script"`) {
		t.Errorf("error %v", err)
	}
}

func TestClaude_missing(t *testing.T) {
	t.Parallel()
	in := invocation(t)
	in.Environ = []string{"PATH=" + in.StateDir}
	var missing *providers.MissingError
	if _, err := must(t, "claude").Prepare(in); !errors.As(err, &missing) || *missing != (providers.MissingError{Provider: "claude", Binary: "claude"}) {
		t.Errorf("error %v", err)
	}
	in.PromptFile = ""
	var config *providers.ConfigError
	if _, err := must(t, "claude").Prepare(in); !errors.As(err, &config) {
		t.Errorf("error %v", err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(l.Args, " "); got != tt.args {
			t.Errorf("arguments\n%s\nwant\n%s", got, tt.args)
		}
		if l.Stdin != in.PromptFile || l.Dir != in.Worktree || filepath.Base(l.Path) != "claude" {
			t.Errorf("launch %+v", l)
		}
		for _, want := range []string{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"} {
			if !slices.Contains(l.Env, want) {
				t.Errorf("environment without %s", want)
			}
		}
		checkConfig(t, config, tt.config)
	}
}

// checkConfig compares the written configuration, and who may read it.
func checkConfig(t *testing.T, file, want string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got, wanted any
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal([]byte(want), &wanted)
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(wanted)
	if string(a) != string(b) {
		t.Errorf("configuration %s, want %s", a, b)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	l, err := p.Prepare(in)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"--in=" + in.PromptFile, in.SpecFile, "a b " + in.Worktree, "opus" + in.SpecID, "{{model}}", "{{ open", "}}", "-m", `"opus"`}
	if !slices.Equal(l.Args, want) {
		t.Errorf("arguments %q, want %q", l.Args, want)
	}
	if !slices.Contains(l.Env, "M=is opus") || !slices.Contains(l.Env, "KEPT=no") || l.Stdin != "" || p.Name() != "mine" {
		t.Errorf("launch %+v", l)
	}
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
		if p, err := New(c); p != nil || !errors.As(err, &e) || e.Provider != "mine" || e.Msg == "" {
			t.Errorf("%s: %v, %v", name, p, err)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		l, err := p.Prepare(in)
		var missing *providers.MissingError
		if ok && (err != nil || !filepath.IsAbs(l.Path)) || !ok && !errors.As(err, &missing) {
			t.Errorf("%q: %q, %v", command, l.Path, err)
		}
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
	if l := prepare(t, must(t, "codex"), in); !slices.Contains(l.Args, git+"]") {
		t.Errorf("without a cache: %q", l.Args)
	}
	if err := os.Mkdir(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	if l := prepare(t, must(t, "codex"), in); !slices.Contains(l.Args, git+","+quoteJSON(cache)+"]") {
		t.Errorf("with a cache: %q", l.Args)
	}
	in.Common = ""
	if l := prepare(t, must(t, "codex"), in); strings.Contains(strings.Join(l.Args, " "), "writable_roots") {
		t.Errorf("without git: %q", l.Args)
	}
}

// TestCopilot_shortKey holds that a key is refused that copilot would hide in every word.
func TestCopilot_shortKey(t *testing.T) {
	t.Parallel()
	for key, refused := range map[string]bool{"e": true, "1234567": true, "12345678": false, "": false} {
		in := ready(t, "copilot")
		in.Environ = append(in.Environ, "COPILOT_PROVIDER_API_KEY="+key)
		var config *providers.ConfigError
		if _, err := must(t, "copilot").Prepare(in); errors.As(err, &config) != refused {
			t.Errorf("key %q: %v", key, err)
		}
	}
}

// TestPrepare_ownProgram: a program of the project is found in the worktree or, before there is one, in home.
func TestPrepare_ownProgram(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	home, tree := t.TempDir(), filepath.Join(t.TempDir(), "none")
	if err := os.WriteFile(filepath.Join(home, "own.sh"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	in := providers.Invocation{Worktree: tree, Home: home}
	if path, err := find("own", "./own.sh", in); err != nil || path != filepath.Join(home, "own.sh") {
		t.Errorf("before the worktree: %q, %v", path, err)
	}
	if err := os.Mkdir(tree, 0o755); err != nil {
		t.Fatal(err)
	}
	if path, err := find("own", "./own.sh", in); err == nil {
		t.Errorf("in a worktree without it: %q", path)
	}
}
