package loop

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// TestAgent_threeFiles works a spec that needs all tools, in each wire form.
func TestAgent_threeFiles(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for sh")
	}
	everyAPI(t, func(t *testing.T, api string) {
		s := serve(t, api,
			turn{text: "I look around.", calls: []scripted{{"list_files", `{"pattern":"*.txt"}`}, {"read_file", `{"path":"one.txt"}`}}},
			calls("edit_file", `{"path":"one.txt","old_text":"two","new_text":"2"}`),
			calls("write_file", `{"path":"deep/two.txt","content":"second\n"}`),
			calls("run_command", `{"command":"cp deep/two.txt three.txt && printf key=$TEST_KEY"}`),
			calls("search", `{"pattern":"^sec","files":"*.txt"}`),
			calls("ticked", `{"n":1}`),
			turn{text: "All three are there."})
		a, out := agentFor(t, s)
		write(t, a.Config.Worktree, "one.txt", "one\ntwo\n")
		ticked := ""
		a.Tools = []Tool{{Name: "ticked", Schema: json.RawMessage(`{"type":"object"}`), Call: func(_ context.Context, in json.RawMessage) (string, error) {
			ticked = string(in)
			return "done", nil
		}}}
		assert.NoError(t, a.Run(context.Background(), "Make three files."), "%s", out)
		for name, want := range map[string]string{"one.txt": "one\n2\n", "deep/two.txt": "second\n", "three.txt": "second\n"} {
			assert.Equal(t, want, read(t, a.Config.Worktree, name), "%s", name)
		}
		want := providers.Usage{Input: 7 * 90, CachedInput: 70, Output: 49}
		switch api {
		case Ollama: // reports no cache
			want = providers.Usage{Input: 700, Output: 49}
		case Anthropic:
			want = providers.Usage{Input: 490, CachedInput: 70, CacheWrites: 140, Output: 49}
		}
		end := out.finished(t)
		assert.True(t, end.OK, "%+v", end)
		assert.Equal(t, "All three are there.", end.Text)
		assert.Equal(t, 7, end.Turns)
		assert.Equal(t, want, end.Usage)
		assert.Equal(t, "m-1", end.Model)
		results := out.ofKind(t, sayToolResult)
		var texts []string
		for _, r := range results {
			texts = append(texts, r.Text)
		}
		if got := strings.Join(texts, "|"); got != "one.txt|one\ntwo\n|changed one.txt at line 2|wrote 7 bytes to deep/two.txt|key=|deep/two.txt:1: second\nthree.txt:1: second|done" {
			t.Errorf("%q", got)
		}
		assert.NotEqual(t, "", ticked)
		assert.Equal(t, 7, len(out.ofKind(t, sayUsage)))
		assert.Equal(t, "session", out.ofKind(t, sayInit)[0].Session)
		last := s.sent()[6]
		assert.NotContains(t, out.String(), theKey, "the key was printed")
		assert.NotContains(t, string(last.body), theKey, "the key was printed")
	})
}

func TestAgent_badCalls(t *testing.T) {
	t.Parallel()
	s := serve(t, OpenAI,
		turn{calls: []scripted{
			{"delete_file", `{}`}, {"read_file", `{"path":`}, {"read_file", `[1]`}, {"read_file", `{}`}, {"read_file", ``},
			{"read_file", `{"path":7}`}, {"read_file", `{"path":"../x"}`}, {"search", `{"pattern":"("}`}, {"edit_file", `{"path":"a","old_text":null,"new_text":"x"}`},
		}},
		turn{text: "I give up."})
	a, out := agentFor(t, s)
	assert.NoError(t, a.Run(context.Background(), "Try."))
	wants := []string{
		`unknown tool "delete_file" (one of read_file, list_files`, `not a JSON object`, `not a JSON object`, `needs "path", which is missing`, `{"path": <string>}`,
		`wrong type`, `"../x" is refused`, `invalid regular expression`, `needs "old_text"`,
	}
	got := out.ofKind(t, sayToolResult)
	assert.Equal(t, len(wants), len(got), "%s", out)
	for i, want := range wants {
		assert.True(t, got[i].Error, "call %d: %q has no %q", i, got[i].Text, want)
		assert.Contains(t, got[i].Text, want, "call %d", i)
	}
	denied := out.ofKind(t, sayDenied)
	assert.Equal(t, 1, len(denied))
	assert.Equal(t, "read_file", denied[0].Tool)
}

// TestAgent_ends covers the ends that are not the model's word.
func TestAgent_ends(t *testing.T) {
	t.Parallel()
	look := calls("list_files", `{}`)
	tests := []struct {
		name   string
		turns  []turn
		config func(*Config)
		reason string
		took   int
	}{
		{"turns", []turn{look, look, look}, func(c *Config) { c.MaxTurns = 2 }, "turn limit reached: 2", 2},
		{"output", []turn{{text: strings.Repeat("x", 200)}}, func(c *Config) { c.MaxOutput = 100 }, "output limit reached: 100 bytes", 1},
		{"nothing twice", []turn{{}, {text: " \n"}}, func(*Config) {}, "the model returned an empty answer twice", 2},
		{"nothing once", []turn{look, {}, {text: "Done."}}, func(*Config) {}, "", 3},
		{"cut off", []turn{{text: "I begin", cut: true}, {text: "and end."}}, func(*Config) {}, "", 2},
		{"prompt too long", nil, func(c *Config) { c.Context = minContext }, "context limit reached", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			everyAPI(t, func(t *testing.T, api string) {
				a, out := agentFor(t, serve(t, api, test.turns...))
				test.config(&a.Config)
				prompt := "Go."
				if test.turns == nil {
					prompt = strings.Repeat("word ", 4000)
				}
				err := a.Run(context.Background(), prompt)
				end := out.finished(t)
				assert.Contains(t, end.Reason, test.reason)
				assert.Equal(t, test.reason == "", end.OK)
				assert.Equal(t, test.took, end.Turns)
				var failed *FailedError
				assert.Equal(t, end.OK, err == nil)
				assert.False(t, !end.OK && !errors.As(err, &failed), "error %v", err)
			})
		})
	}
}

// TestAgent_refused: half an answer does not end the session.
func TestAgent_refused(t *testing.T) {
	t.Parallel()
	for api, word := range map[string]string{OpenAI: "content_filter", Anthropic: "refusal"} {
		a, out := agentFor(t, serve(t, api, turn{text: "I begin", calls: []scripted{{"write_file", `{"path":"x","content":"half"}`}}, refused: true}))
		err := a.Run(context.Background(), "Go.")
		end := out.finished(t)
		assert.Error(t, err, "%s", api)
		assert.False(t, end.OK, "%s: %v, %+v", api, err, end)
		assert.Contains(t, end.Reason, word, "%s", api)
		assert.Equal(t, 1, end.Turns, "%s", api)
		assert.Zero(t, out.ofKind(t, sayToolCall), "%s", api)
	}
}

// TestAgent_refusal: what a model says instead of an answer is the reason.
func TestAgent_refusal(t *testing.T) {
	t.Parallel()
	s := serve(t, OpenAI)
	s.broken = []http.HandlerFunc{status(200, "data: {\"choices\":[{\"delta\":{\"refusal\":\"I will not.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")}
	a, out := agentFor(t, s)
	err := a.Run(context.Background(), "Go.")
	end := out.finished(t)
	assert.Error(t, err)
	assert.False(t, end.OK, "%v, %+v", err, end)
	assert.Contains(t, end.Reason, `"I will not."`)
	assert.Equal(t, 1, end.Turns)
}

// TestAgent_paused: a turn that was paused continues when the conversation is sent again as
// it is, as often as there are turns.
func TestAgent_paused(t *testing.T) {
	t.Parallel()
	s := serve(t, Anthropic, turn{text: "I look.", paused: true}, turn{paused: true}, turn{text: "Done."})
	a, out := agentFor(t, s)
	assert.NoError(t, a.Run(context.Background(), "Go."))
	end := out.finished(t)
	assert.Equal(t, 3, end.Turns)
	assert.Equal(t, "Done.", end.Text)
	for _, r := range s.sent()[1:] {
		body := string(r.body)
		assert.Equal(t, 2, strings.Count(body, `"role"`))
		assert.Contains(t, body, "I look.")
		assert.NotContains(t, body, urge)
	}
	pause := turn{text: "I look.", paused: true}
	a, out = agentFor(t, serve(t, Anthropic, pause, pause, pause))
	a.Config.MaxTurns = 2
	err := a.Run(context.Background(), "Go.")
	assert.Error(t, err)
	assert.Contains(t, out.finished(t).Reason, "turn limit reached: 2")
}

// TestAgent_usagePartly: if a server did not report one answer, its reports of the others
// are not a sum.
func TestAgent_usagePartly(t *testing.T) {
	t.Parallel()
	silent := status(200, `{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"list_files","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`)
	for name, test := range map[string]struct {
		broken []http.HandlerFunc
		want   providers.Usage
	}{
		"all":           {nil, providers.Usage{Input: 180, CachedInput: 20, Output: 14}},
		"not the first": {[]http.HandlerFunc{silent}, providers.Usage{Input: 180, CachedInput: 20, Output: 14, Partial: true}},
	} {
		s := serve(t, OpenAI, calls("list_files", `{}`), turn{text: "Done."})
		s.broken = test.broken
		a, out := agentFor(t, s)
		assert.NoError(t, a.Run(context.Background(), "Go."))
		assert.Equal(t, test.want, out.finished(t).Usage, "%s", name)
	}
}

func TestAgent_readOnly(t *testing.T) {
	t.Parallel()
	s := serve(t, Ollama, calls("write_file", `{"path":"a","content":"b"}`), calls("run_command", `{"command":"touch a"}`), turn{text: "I may not."})
	a, out := agentFor(t, s)
	a.Config.ReadOnly = true
	assert.NoError(t, a.Run(context.Background(), "Judge."))
	for _, r := range out.ofKind(t, sayToolResult) {
		assert.True(t, r.Error, "%+v", r)
		assert.HasSuffix(t, r.Text, "(one of read_file, list_files, search)")
	}
	_, err := os.Lstat(filepath.Join(a.Config.Worktree, "a"))
	assert.Error(t, err, "a judge wrote a file")
}

// TestAgent_spoken: a call that a small model wrote as text is carried out, but for
// Anthropic, whose models mean what they say.
func TestAgent_spoken(t *testing.T) {
	t.Parallel()
	everyAPI(t, func(t *testing.T, api string) {
		s := serve(t, api, turn{text: "```json\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"b\"}}\n```"}, turn{text: "Done."})
		a, out := agentFor(t, s)
		assert.NoError(t, a.Run(context.Background(), "Go."))
		want := 1
		if api == Anthropic {
			want = 0
		}
		assert.Equal(t, want, len(out.ofKind(t, sayToolResult)))
	})
}

// TestAgent_requests checks what each wire form is asked with.
func TestAgent_requests(t *testing.T) {
	t.Parallel()
	for api, want := range map[string]struct {
		path, header, value string
		parts               []string
	}{
		OpenAI:    {"/chat/completions", "Authorization", "Bearer " + theKey, []string{`"stream":true`, `"include_usage":true`, `"tool_call_id":"c1_0"`, `"max_tokens":500`}},
		Ollama:    {"/api/chat", "Authorization", "Bearer " + theKey, []string{`"num_ctx":32768`, `"num_predict":500`, `"tool_name":"list_files"`, `"arguments":{"path":"."}`}},
		Anthropic: {"/v1/messages", "X-Api-Key", theKey, []string{`"max_tokens":500`, `"tool_use_id":"c1_0"`, `"cache_control":{"type":"ephemeral"}`, `"input":{"path":"."}`}},
	} {
		t.Run(api, func(t *testing.T) {
			t.Parallel()
			s := serve(t, api, calls("list_files", `{"path":"."}`), turn{text: "Done."})
			a, _ := agentFor(t, s)
			a.Config.MaxTokens = 500
			assert.NoError(t, a.Run(context.Background(), "Go."))
			last := s.sent()[1]
			if last.path != want.path || last.header.Get(want.header) != want.value {
				t.Errorf("%s with %s %q", last.path, want.header, last.header.Get(want.header))
			}
			for _, part := range want.parts {
				assert.Contains(t, string(last.body), part, "no %s", last.body)
			}
		})
	}
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	assert.NoError(t, os.WriteFile(path, []byte(content), 0o600))
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	assert.NoError(t, err)
	return string(src)
}
