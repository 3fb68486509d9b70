package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

func TestReadConfig(t *testing.T) {
	t.Parallel()
	good := Config{API: Ollama, Model: "small", Worktree: t.TempDir(), Session: filepath.Join(t.TempDir(), "s")}
	minus := -1
	for want, change := range map[string]func(*Config){
		"": func(*Config) {},
		`api: invalid value "gemini" (one of openai`:                     func(c *Config) { c.API = "gemini" },
		`endpoint: invalid URL "localhost:1"`:                            func(c *Config) { c.Endpoint = "localhost:1" },
		`endpoint: invalid URL "ftp://x"`:                                func(c *Config) { c.Endpoint = "ftp://x" },
		"model: missing":                                                 func(c *Config) { c.Model = "" },
		"worktree and session:":                                          func(c *Config) { c.Worktree = "here" },
		"max_turns: must be at least 0, not -1":                          func(c *Config) { c.MaxTurns = -1 },
		"max_retries: must be at least 0, not -1":                        func(c *Config) { c.MaxRetries = &minus },
		"context: 100 tokens are too few":                                func(c *Config) { c.Context = 100 },
		"context: 4096 tokens are too few; an answer needs 4000 of them": func(c *Config) { c.Context, c.MaxTokens = 4096, 4000 },
	} {
		c := good
		change(&c)
		src, err := json.Marshal(c)
		assert.NoError(t, err)
		dir := t.TempDir()
		write(t, dir, "loop.json", string(src))
		_, err = ReadConfig(filepath.Join(dir, "loop.json"))
		assert.Equal(t, want == "", err == nil)
		assert.False(t, err != nil && !strings.Contains(err.Error(), "loop.json: "+want), "%q: %v", want, err)
		if err == nil || strings.HasPrefix(want, "worktree and session") { // which are no settings
			continue
		}
		field, _, _ := strings.Cut(want, ":")
		wrong, ok := errors.AsType[*FieldError](err)
		assert.True(t, ok, "%q: the field is not named in %#v", want, err)
		assert.Equal(t, field, wrong.Field, "%q: the field is not named", want)
		assert.Contains(t, err.Error(), wrong.Error(), "%q: the field is not named", want)
	}
}

func TestConfig_defaults(t *testing.T) {
	t.Parallel()
	for api, want := range map[string]string{
		OpenAI: "https://api.openai.com/v1", Ollama: "http://127.0.0.1:11434", Anthropic: "https://api.anthropic.com",
	} {
		assert.Equal(t, want, (Config{API: api}).withDefaults().Endpoint, "%s", api)
	}
	for endpoint, want := range map[string]string{"http://h:1/v1/": "http://h:1", "http://h:1": "http://h:1", "https://h/x": "https://h/x"} {
		assert.Equal(t, want, (Config{API: Ollama, Endpoint: endpoint}).withDefaults().Endpoint, "%s", endpoint)
	}
}

// TestAgent_noKey: a key that is named and missing is reported before anything is sent.
func TestAgent_noKey(t *testing.T) {
	t.Parallel()
	s := serve(t, Anthropic)
	a, out := agentFor(t, s)
	a.Environ = []string{"TEST_KEY="}
	err := a.Run(context.Background(), "Go.")
	assert.Error(t, err, "%s", out)
	assert.Equal(t, `key_env: variable "TEST_KEY" is not set`, err.Error(), "%s", out)
	assert.Zero(t, s.sent(), "%s", out)
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// turn is one scripted answer of the model.
type turn struct {
	text  string
	calls []scripted
	cut   bool // it ended at its length limit

	paused  bool // it is to be sent again; only Anthropic's has that
	refused bool // its server would not let it end; Ollama's has no word for that
}

type scripted struct{ tool, input string }

func calls(tool, input string) turn { return turn{calls: []scripted{{tool, input}}} }

// server is a model behind any of the wire forms. Requests before the script begins are
// answered by broken, one each.
type server struct {
	*httptest.Server
	api    string
	turns  []turn
	broken []http.HandlerFunc

	mu       sync.Mutex
	requests []request
	answered int
}

type request struct {
	path   string
	header http.Header
	body   []byte
}

func serve(t *testing.T, api string, turns ...turn) *server {
	t.Helper()
	s := &server{api: api, turns: turns}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // a request that broke off is answered as it is
	s.mu.Lock()
	s.requests = append(s.requests, request{r.URL.Path, r.Header, body})
	n := len(s.requests)
	var answer turn
	if n > len(s.broken) && s.answered < len(s.turns) {
		answer = s.turns[s.answered]
		s.answered++
	}
	s.mu.Unlock()
	if n <= len(s.broken) {
		s.broken[n-1](w, r)
		return
	}
	io.WriteString(w, stream(s.api, answer, n))
}

// sent returns the requests so far.
func (s *server) sent() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.requests...)
}

// stream is an answer in a wire form, in pieces. The usage is 100 read, of which 10 were
// cached, and 7 written.
func stream(api string, t turn, n int) string {
	switch api {
	case OpenAI:
		return openAIStream(t, n)
	case Ollama:
		return ollamaStream(t)
	}
	return anthropicStream(t, n)
}

func quoted(v any) string {
	src, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(src)
}

func openAIStream(t turn, n int) string {
	var b bytes.Buffer
	b.WriteString(": a comment\n\n")
	half := len(t.text) / 2
	for _, text := range []string{t.text[:half], t.text[half:]} {
		fmt.Fprintf(&b, "data: {\"model\":\"m-1\",\"choices\":[{\"delta\":{\"content\":%s}}]}\n\n", quoted(text))
	}
	for i, c := range t.calls {
		fmt.Fprintf(&b, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":%d,\"id\":\"c%d_%d\",\"type\":\"function\",\"function\":{\"name\":%q,\"arguments\":\"\"}}]}}]}\n\n", i, n, i, c.tool)
		half := len(c.input) / 2
		for _, part := range []string{c.input[:half], c.input[half:]} {
			fmt.Fprintf(&b, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":%d,\"function\":{\"arguments\":%s}}]}}]}\n\n", i, quoted(part))
		}
	}
	finish := "stop"
	if t.cut {
		finish = "length"
	}
	if t.refused {
		finish = "content_filter"
	}
	fmt.Fprintf(&b, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":%q}]}\n\n", finish)
	b.WriteString("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":7,\"prompt_tokens_details\":{\"cached_tokens\":10}}}\n\ndata: [DONE]\n\n")
	return b.String()
}

func ollamaStream(t turn) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":%s},\"done\":false}\n", quoted(t.text))
	for _, c := range t.calls {
		fmt.Fprintf(&b, "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":%q,\"arguments\":%s}}]},\"done\":false}\n", c.tool, c.input)
	}
	reason := "stop"
	if t.cut {
		reason = "length"
	}
	fmt.Fprintf(&b, "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":%q,\"prompt_eval_count\":100,\"eval_count\":7}\n", reason)
	return b.String()
}

func anthropicStream(t turn, n int) string {
	var b bytes.Buffer
	event := func(kind, data string) { fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q,%s}\n\n", kind, kind, data) }
	event("message_start", `"message":{"model":"m-1","usage":{"input_tokens":70,"cache_creation_input_tokens":20,"cache_read_input_tokens":10,"output_tokens":1}}`)
	event("ping", `"x":1`)
	event("content_block_start", `"index":0,"content_block":{"type":"text","text":""}`)
	event("content_block_delta", `"index":0,"delta":{"type":"text_delta","text":`+quoted(t.text)+`}`)
	for i, c := range t.calls {
		event("content_block_start", fmt.Sprintf(`"index":%d,"content_block":{"type":"tool_use","id":"c%d_%d","name":%q,"input":{}}`, i+1, n, i, c.tool))
		half := len(c.input) / 2
		for _, part := range []string{c.input[:half], c.input[half:]} {
			event("content_block_delta", fmt.Sprintf(`"index":%d,"delta":{"type":"input_json_delta","partial_json":%s}`, i+1, quoted(part)))
		}
	}
	stop := "end_turn"
	if t.cut {
		stop = "max_tokens"
	}
	if t.paused {
		stop = "pause_turn"
	}
	if t.refused {
		stop = "refusal"
	}
	event("message_delta", fmt.Sprintf(`"delta":{"stop_reason":%q},"usage":{"output_tokens":7}`, stop))
	event("message_stop", `"x":1`)
	return b.String()
}

// theKey is the key of all tests.
const theKey = "sk-test-do-not-print"

// agentFor returns an agent with a worktree of its own, and the lines it prints. Its
// waits take no time and are kept.
func agentFor(t *testing.T, s *server) (*Agent, *lines) {
	t.Helper()
	out := &lines{}
	a := &Agent{
		Config: Config{
			API: s.api, Endpoint: s.URL, KeyEnv: "TEST_KEY", Model: "small",
			Worktree: t.TempDir(), Session: filepath.Join(t.TempDir(), "session.jsonl"),
		},
		Environ: []string{"PATH=/usr/bin:/bin", "TEST_KEY=" + theKey},
		Out:     out,
		random:  func() float64 { return 0.5 },
	}
	a.sleep = func(_ context.Context, d time.Duration) error {
		out.waits = append(out.waits, d)
		return nil
	}
	return a, out
}

// lines is the output of an agent.
type lines struct {
	bytes.Buffer
	waits []time.Duration
}

// line has the fields of all lines.
type line struct {
	Type, Text, Tool, Reason, Session, Model, ID string
	Input                                        json.RawMessage
	Usage                                        providers.Usage
	Turns                                        int
	OK, Error                                    bool
}

// ofKind returns the lines ofKind one kind.
func (l *lines) ofKind(t *testing.T, kind string) []line {
	t.Helper()
	var found []line
	for src := range bytes.Lines(l.Bytes()) {
		var one line
		assert.NoError(t, json.Unmarshal(src, &one), "%s", src)
		if one.Type == kind {
			found = append(found, one)
		}
	}
	return found
}

// finished returns the last line, which reports the end.
func (l *lines) finished(t *testing.T) line {
	t.Helper()
	ends := l.ofKind(t, sayFinished)
	assert.Equal(t, 1, len(ends), "%s", l)
	return ends[0]
}

func everyAPI(t *testing.T, test func(t *testing.T, api string)) {
	t.Helper()
	for _, api := range []string{OpenAI, Ollama, Anthropic} {
		t.Run(api, func(t *testing.T) {
			t.Parallel()
			test(t, api)
		})
	}
}
