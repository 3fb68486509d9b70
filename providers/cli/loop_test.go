package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/providers"
	"chant/providers/loop"

	"github.com/alecthomas/assert/v2"
)

func TestLoop_prepare(t *testing.T) {
	t.Parallel()
	in := invocation(t)
	in.Chant, in.Sessions = "/bin/chant", in.Home
	in.Environ = append(in.Environ, "OPENAI_API_KEY=sk-secret", "OTHER=no")
	in.MCP = &providers.MCPServer{Command: "/bin/chant"}
	retries := 0
	l, err := NewLoop(Loop{Name: "mine", API: loop.OpenAI, MaxTurns: 7, Context: 9000, MaxRetries: &retries}).Prepare(in)
	assert.NoError(t, err)
	file := filepath.Join(in.StateDir, "loop.json")
	assert.Equal(t, "/bin/chant loop "+file+" --tools "+loopTools, strings.Join(append([]string{l.Path}, l.Args...), " "))
	assert.Equal(t, in.PromptFile, l.Stdin)
	assert.Equal(t, in.Worktree, l.Dir)
	assert.SliceContains(t, l.Env, "OPENAI_API_KEY=sk-secret")
	assert.NotSliceContains(t, l.Env, "OTHER=no")
	src, err := os.ReadFile(file)
	assert.NoError(t, err, "%s", src)
	assert.NotContains(t, string(src), "sk-secret")
	info, err := os.Stat(file)
	assert.NoError(t, err)
	assert.Equal(t, 0o600, info.Mode().Perm())
	c, err := loop.ReadConfig(file)
	assert.NoError(t, err)
	assert.Equal(t, "opus", c.Model)
	assert.Equal(t, "OPENAI_API_KEY", c.KeyEnv)
	assert.Equal(t, 7, c.MaxTurns)
	assert.Equal(t, 9000, c.Context)
	assert.Equal(t, 0, *c.MaxRetries)
	assert.False(t, c.Resume, "%+v, %v", c, err)
	assert.Equal(t, in.Worktree, c.Worktree)
	assert.Equal(t, filepath.Join(in.Home, "run-1.jsonl"), c.Session)
}

// TestLoop_asked resumes a session of an agent that answers a question.
func TestLoop_asked(t *testing.T) {
	t.Parallel()
	in := invocation(t)
	in.Chant, in.Session, in.ReadOnly = "/bin/chant", "run-0", true
	in.Environ = append(in.Environ, "OPENAI_API_KEY=sk-secret")
	l, err := NewLoop(Loop{Name: "mine", API: loop.OpenAI}).Prepare(in)
	assert.NoError(t, err, "%q", l.Args)
	assert.Equal(t, 2, len(l.Args), "%q", l.Args)
	c, err := loop.ReadConfig(l.Args[1])
	assert.NoError(t, err)
	assert.True(t, c.Resume, "%+v, %v", c, err)
	assert.True(t, c.ReadOnly, "%+v, %v", c, err)
	assert.Equal(t, filepath.Join(in.StateDir, "run-0.jsonl"), c.Session)
}

func TestLoop_refused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		loop   Loop
		change func(*providers.Invocation)
		want   string // "" = it is fine
	}{
		{Loop{API: loop.Ollama}, func(in *providers.Invocation) { in.Model = "" }, "the model is missing"},
		{Loop{API: loop.OpenAI}, func(*providers.Invocation) {}, `variable "OPENAI_API_KEY", which holds`},
		{Loop{API: loop.Anthropic}, func(in *providers.Invocation) { in.Environ = append(in.Environ, "ANTHROPIC_API_KEY=") }, `variable "ANTHROPIC_API_KEY"`},
		{Loop{API: loop.Ollama, KeyEnv: "MINE"}, func(*providers.Invocation) {}, `variable "MINE"`},
		{Loop{API: loop.OpenAI, Endpoint: "http://127.0.0.1:1/v1"}, func(*providers.Invocation) {}, ""},
		{Loop{API: loop.Ollama}, func(*providers.Invocation) {}, ""},
		{Loop{API: loop.Ollama, Context: 5}, func(*providers.Invocation) {}, "context: 5 tokens are too few"},
		{Loop{API: loop.Ollama}, func(in *providers.Invocation) { in.Session = "../../x" }, "is not a session"},
		{Loop{API: loop.Ollama}, func(in *providers.Invocation) { in.Chant = "" }, "is unknown"},
		{Loop{API: loop.Ollama}, func(in *providers.Invocation) { in.PromptFile = "" }, "no prompt file"},
	} {
		in := invocation(t)
		in.Chant = "/bin/chant"
		tt.change(&in)
		tt.loop.Name = "mine"
		_, err := NewLoop(tt.loop).Prepare(in)
		var config *providers.ConfigError
		assert.Equal(t, tt.want == "", err == nil, "%+v", tt.loop)
		assert.False(t, err != nil && (!errors.As(err, &config) || config.Provider != "mine" || !strings.Contains(err.Error(), tt.want)), "%+v: %v, want %q", tt.loop, err, tt.want)
	}
}

func TestLoopDecoder(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"type":"init","session":"s1","model":"small"}`,
		`{"type":"working","bytes":512}`,
		`{"type":"text","text":"I look."}`,
		`{"type":"usage","input":90,"cached_input":10,"cache_write":5,"output":7,"turns":1,"model":"small-2"}`,
		`{"type":"tool_call","id":"c","tool":"read_file","input":{"path":"a"}}`,
		`{"type":"denied","tool":"read_file","text":"outside"}`,
		`{"type":"tool_result","id":"c","tool":"read_file","text":"outside","error":true}`,
		`{"type":"retry","text":"attempt 2 of 6 in 1s: busy"}`,
		`{"type":"of tomorrow","text":"?"}`,
		`no JSON`,
		``,
	}
	d := &loopDecoder{}
	var got []string
	for _, line := range lines {
		for _, e := range d.Line([]byte(line)) {
			text := fmt.Sprintf("%s %s %s", e.Kind, e.Tool, e.Text)
			if e.Spent != nil {
				src, err := json.Marshal(e.Spent)
				assert.NoError(t, err)
				text += string(src)
			}
			got = append(got, text)
		}
	}
	want := []string{
		"init  model small, session s1", "text  I look.",
		`usage  {"usage":{"input":90,"cached_input":10,"cache_write":5,"output":7},"turns":1,"model":"small-2"}`,
		`tool_call read_file {"path":"a"}`, "denied read_file outside", "tool_result read_file error: outside", "retry  attempt 2 of 6 in 1s: busy",
		`output  {"type":"of tomorrow","text":"?"}`, "output  no JSON",
	}
	assert.Equal(t, want, got, "events\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	d.Stderr("panic: broken")
	if v := d.Finish(providers.Exit{Code: 2}); v.OK || v.Reason != "no result, exit code 2: panic: broken" || v.SessionID != "s1" {
		t.Errorf("%+v", v)
	}
	d.Line([]byte(`{"type":"finished","ok":true,"text":"Done.","model":"small-2","turns":3,"usage":{"input":1,"cached_input":2,"cache_write":3,"output":4}}`))
	v := d.Finish(providers.Exit{})
	assert.True(t, v.OK, "%+v", v)
	assert.Equal(t, "Done.", v.Text)
	assert.Equal(t, 3, v.Turns)
	assert.Equal(t, "small-2", v.Model)
	assert.Equal(t, providers.Usage{Input: 1, CachedInput: 2, CacheWrites: 3, Output: 4}, *v.Usage)
	assert.Equal(t, []string{"read_file"}, v.Denied)
	d.Line([]byte(`{"type":"finished","ok":true,"text":"Done.","turns":3,"usage":{"input":1,"output":4,"partial":true}}`))
	v = d.Finish(providers.Exit{})
	assert.NotZero(t, v.Usage, "usage known in part")
	assert.Equal(t, providers.Usage{Input: 1, Output: 4, Partial: true}, *v.Usage, "usage known in part")
	v = d.Finish(providers.Exit{Code: 1})
	assert.False(t, v.OK, "%+v", v)
	assert.Equal(t, "exit code 1: panic: broken", v.Reason)
	d.Line([]byte(`{"type":"finished","ok":false,"reason":"turn limit reached: 3"}`))
	v = d.Finish(providers.Exit{Code: 8})
	assert.False(t, v.OK, "%+v", v)
	assert.Equal(t, "turn limit reached: 3", v.Reason)
}
