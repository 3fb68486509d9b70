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
		if err := a.Run(context.Background(), "Make three files."); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for name, want := range map[string]string{"one.txt": "one\n2\n", "deep/two.txt": "second\n", "three.txt": "second\n"} {
			if got := read(t, a.Config.Worktree, name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		want := providers.Usage{Input: 7 * 90, CachedInput: 70, Output: 49}
		switch api {
		case Ollama: // reports no cache
			want = providers.Usage{Input: 700, Output: 49}
		case Anthropic:
			want = providers.Usage{Input: 490, CachedInput: 70, CacheWrites: 140, Output: 49}
		}
		end := out.finished(t)
		if !end.OK || end.Text != "All three are there." || end.Turns != 7 || end.Usage != want || end.Model != "m-1" {
			t.Errorf("%+v", end)
		}
		results := out.of(t, sayToolResult)
		var texts []string
		for _, r := range results {
			texts = append(texts, r.Text)
		}
		if got := strings.Join(texts, "|"); got != "one.txt|one\ntwo\n|changed one.txt at line 2|wrote 7 bytes to deep/two.txt|key=|deep/two.txt:1: second\nthree.txt:1: second|done" {
			t.Errorf("%q", got)
		}
		if ticked == "" || len(out.of(t, sayUsage)) != 7 || out.of(t, sayInit)[0].Session != "session" {
			t.Errorf("ticked %q\n%s", ticked, out)
		}
		if last := s.sent()[6]; strings.Contains(out.String(), theKey) || strings.Contains(string(last.body), theKey) {
			t.Error("the key was printed")
		}
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
	if err := a.Run(context.Background(), "Try."); err != nil {
		t.Fatal(err)
	}
	wants := []string{
		`unknown tool "delete_file" (one of read_file, list_files`, `not a JSON object`, `not a JSON object`, `needs "path", which is missing`, `{"path": <string>}`,
		`wrong type`, `"../x" is refused`, `invalid regular expression`, `needs "old_text"`,
	}
	got := out.of(t, sayToolResult)
	if len(got) != len(wants) {
		t.Fatalf("%d results\n%s", len(got), out)
	}
	for i, want := range wants {
		if !got[i].Error || !strings.Contains(got[i].Text, want) {
			t.Errorf("call %d: %q has no %q", i, got[i].Text, want)
		}
	}
	if denied := out.of(t, sayDenied); len(denied) != 1 || denied[0].Tool != "read_file" {
		t.Errorf("denied %+v", denied)
	}
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
				if !strings.Contains(end.Reason, test.reason) || end.OK != (test.reason == "") || end.Turns != test.took {
					t.Errorf("%+v", end)
				}
				var failed *FailedError
				if (err == nil) != end.OK || !end.OK && !errors.As(err, &failed) {
					t.Errorf("error %v", err)
				}
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
		if end := out.finished(t); err == nil || end.OK || !strings.Contains(end.Reason, word) || end.Turns != 1 || len(out.of(t, sayToolCall)) != 0 {
			t.Errorf("%s: %v, %+v", api, err, end)
		}
	}
}

// TestAgent_refusal: what a model says instead of an answer is the reason.
func TestAgent_refusal(t *testing.T) {
	t.Parallel()
	s := serve(t, OpenAI)
	s.broken = []http.HandlerFunc{status(200, "data: {\"choices\":[{\"delta\":{\"refusal\":\"I will not.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")}
	a, out := agentFor(t, s)
	err := a.Run(context.Background(), "Go.")
	if end := out.finished(t); err == nil || end.OK || !strings.Contains(end.Reason, `"I will not."`) || end.Turns != 1 {
		t.Errorf("%v, %+v", err, end)
	}
}

// TestAgent_paused: a turn that was paused continues when the conversation is sent again as
// it is, as often as there are turns.
func TestAgent_paused(t *testing.T) {
	t.Parallel()
	s := serve(t, Anthropic, turn{text: "I look.", paused: true}, turn{paused: true}, turn{text: "Done."})
	a, out := agentFor(t, s)
	if err := a.Run(context.Background(), "Go."); err != nil {
		t.Fatal(err)
	}
	if end := out.finished(t); end.Turns != 3 || end.Text != "Done." {
		t.Errorf("%+v", end)
	}
	for _, r := range s.sent()[1:] {
		if body := string(r.body); strings.Count(body, `"role"`) != 2 || !strings.Contains(body, "I look.") || strings.Contains(body, urge) {
			t.Errorf("sent %s", body)
		}
	}
	pause := turn{text: "I look.", paused: true}
	a, out = agentFor(t, serve(t, Anthropic, pause, pause, pause))
	a.Config.MaxTurns = 2
	if err := a.Run(context.Background(), "Go."); err == nil || !strings.Contains(out.finished(t).Reason, "turn limit reached: 2") {
		t.Errorf("%v", err)
	}
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
		if err := a.Run(context.Background(), "Go."); err != nil {
			t.Fatal(err)
		}
		if end := out.finished(t); end.Usage != test.want {
			t.Errorf("%s: %+v, want %+v", name, end.Usage, test.want)
		}
	}
}

func TestAgent_readOnly(t *testing.T) {
	t.Parallel()
	s := serve(t, Ollama, calls("write_file", `{"path":"a","content":"b"}`), calls("run_command", `{"command":"touch a"}`), turn{text: "I may not."})
	a, out := agentFor(t, s)
	a.Config.ReadOnly = true
	if err := a.Run(context.Background(), "Judge."); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.of(t, sayToolResult) {
		if !r.Error || !strings.HasSuffix(r.Text, "(one of read_file, list_files, search)") {
			t.Errorf("%+v", r)
		}
	}
	if _, err := os.Lstat(filepath.Join(a.Config.Worktree, "a")); err == nil {
		t.Error("a judge wrote a file")
	}
}

// TestAgent_spoken: a call that a small model wrote as text is carried out, but for
// Anthropic, whose models mean what they say.
func TestAgent_spoken(t *testing.T) {
	t.Parallel()
	everyAPI(t, func(t *testing.T, api string) {
		s := serve(t, api, turn{text: "```json\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"b\"}}\n```"}, turn{text: "Done."})
		a, out := agentFor(t, s)
		if err := a.Run(context.Background(), "Go."); err != nil {
			t.Fatal(err)
		}
		want := 1
		if api == Anthropic {
			want = 0
		}
		if got := out.of(t, sayToolResult); len(got) != want {
			t.Errorf("%d calls were carried out, want %d", len(got), want)
		}
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
			if err := a.Run(context.Background(), "Go."); err != nil {
				t.Fatal(err)
			}
			last := s.sent()[1]
			if last.path != want.path || last.header.Get(want.header) != want.value {
				t.Errorf("%s with %s %q", last.path, want.header, last.header.Get(want.header))
			}
			for _, part := range want.parts {
				if !strings.Contains(string(last.body), part) {
					t.Errorf("no %s in %s", part, last.body)
				}
			}
		})
	}
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}
