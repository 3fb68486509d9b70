package fakemodel

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

const firstAsk = `{"model":"m","tools":[{"name":"Read"}],"messages":[{"role":"user","content":"hello"}]}`

// ask sends one request and returns status and body.
func ask(t *testing.T, s *Server, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
	assert.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	assert.NoError(t, err)
	defer resp.Body.Close()
	src, err := io.ReadAll(resp.Body)
	assert.NoError(t, err)
	return resp.StatusCode, string(src)
}

func decode[T any](t *testing.T, src string) T {
	t.Helper()
	var v T
	assert.NoError(t, json.Unmarshal([]byte(src), &v), "%s", src)
	return v
}

// later is a messages request that answers the calls with these ids.
func later(ids ...string) string {
	blocks := []string{`{"type":"text","text":"and"}`}
	for _, id := range ids {
		blocks = append(blocks, `{"type":"tool_result","tool_use_id":"`+id+`","content":[{"type":"text","text":"fine"}]}`)
	}
	return strings.TrimSuffix(firstAsk, "]}") + `,{"role":"assistant","content":[]},{"role":"user","content":[` + strings.Join(blocks, ",") + `]}]}`
}

func TestServer_turns(t *testing.T) {
	t.Parallel()
	s := Start(t,
		Turn{Text: "two at once", Calls: []Call{{Name: "Read", Input: map[string]any{"file": "a"}}, {Name: "Read"}}},
		Turn{Calls: []Call{{Name: "Write", Input: map[string]any{"text": "é<&>"}}}},
		Turn{Text: "finished"},
	)
	for name, tc := range map[string]struct {
		body, stop, text string
		calls            []string
	}{
		"first":                {firstAsk, "tool_use", "two at once", []string{`Read toolu_00000000 {"file":"a"}`, `Read toolu_00000001 {}`}},
		"half of it answered":  {later("x"), "tool_use", "two at once", []string{`Read toolu_00000000 {"file":"a"}`, `Read toolu_00000001 {}`}},
		"second":               {later("x", "y"), "tool_use", "", []string{`Write toolu_00010000 {"text":"é\u003c\u0026\u003e"}`}},
		"last":                 {later("x", "y", "z"), "end_turn", "finished", nil},
		"more than was called": {later("x", "y", "z", "zz"), "end_turn", "finished", nil},
		"no tools":             {strings.Replace(firstAsk, `{"name":"Read"}`, "", 1), "end_turn", aside, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, src := ask(t, s, "POST", "/v1/messages", tc.body)
			whole := decode[message](t, src)
			_, sse := ask(t, s, "POST", "/v1/messages", strings.Replace(tc.body, `{`, `{"stream":true,`, 1))
			for way, m := range map[string]message{"whole": whole, "streamed": assemble(t, sse)} {
				text, calls := contents(m)
				assert.Equal(t, tc.stop, *m.StopReason, "%v", way)
				assert.Equal(t, tc.text, text, "%v", way)
				assert.Equal(t, tc.calls, calls, "%v", way)
				assert.Equal(t, "m", m.Model, "%s: model", way)
				assert.True(t, m.Usage.Input > 0, "%s: model %q, usage %+v", way, m.Model, m.Usage)
				assert.True(t, m.Usage.Output > 0, "%s: model %q, usage %+v", way, m.Model, m.Usage)
			}
		})
	}
}

func contents(m message) (text string, calls []string) {
	for _, b := range m.Content {
		if b.Text != nil {
			text += *b.Text
			continue
		}
		calls = append(calls, b.Name+" "+b.ID+" "+string(b.Input))
	}
	return text, calls
}

// assemble puts a stream together as a client does.
func assemble(t *testing.T, sse string) message {
	t.Helper()
	var m message
	var names []string
	lines := bufio.NewScanner(strings.NewReader(sse))
	for lines.Scan() {
		src, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		e := decode[struct {
			Type    string
			Message message
			Index   int
			Block   replyBlock `json:"content_block"`
			Delta   struct {
				Text    string
				Partial string  `json:"partial_json"`
				Stop    *string `json:"stop_reason"`
			}
			Usage anthropicUsage
		}](t, src)
		names = append(names, e.Type)
		switch e.Type {
		case "message_start":
			m = e.Message
		case "content_block_start":
			assert.Equal(t, len(m.Content), e.Index)
			e.Block.Input = nil
			m.Content = append(m.Content, e.Block)
		case "content_block_delta":
			b := &m.Content[e.Index]
			if b.Text != nil {
				*b.Text += e.Delta.Text
			}
			b.Input = append(b.Input, e.Delta.Partial...)
		case "message_delta":
			m.StopReason, m.Usage = e.Delta.Stop, e.Usage
		}
	}
	assert.True(t, len(names) >= 3, "events %q", names)
	assert.Equal(t, "message_start", names[0])
	assert.Equal(t, "message_stop", names[len(names)-1])
	return m
}

func TestServer_recordsRequests(t *testing.T) {
	t.Parallel()
	s := StartScript(t, func(r Request) []Turn { return []Turn{{Text: "you said " + r.Prompt}} })
	body := `{"model":"m","stream":false,"tools":[{"name":"A"},{"name":"B"}],"messages":[` +
		`{"role":"user","content":[{"type":"text","text":"one"},{"type":"image"}]},{"role":"assistant","content":"not me"},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","is_error":true,"content":"no"}]},{"role":"user","content":"two"}]}`
	_, src := ask(t, s, "POST", "/gateway/v1/messages?beta=true", body)
	text, _ := contents(decode[message](t, src))
	assert.Equal(t, "you said one\ntwo", text)
	want := []Request{{
		Method: "POST", Path: "/gateway/v1/messages", Body: []byte(body), Model: "m", Tools: []string{"A", "B"},
		Prompt: "one\ntwo", Results: []Result{{CallID: "c", Text: "no", IsError: true}},
	}}
	want[0].Usage = s.Requests()[0].Usage
	got := s.Requests()
	assert.Equal(t, want, got)
	assert.NotEqual(t, 0, got[0].Usage.Output)
}

func TestServer_Play(t *testing.T) {
	t.Parallel()
	s := Start(t, Turn{Text: "the first script"})
	for _, want := range []string{"the first script", "another"} {
		_, src := ask(t, s, "POST", "/v1/messages", firstAsk)
		assert.Contains(t, src, want)
		s.Play(func(Request) []Turn { return []Turn{{Text: "another"}} })
	}
}

func TestServer_beside(t *testing.T) {
	t.Parallel()
	s := Start(t)
	for _, tc := range []struct {
		method, path, body string
		status             int
		holds              string
	}{
		{"GET", "/v1/models", "", 200, `"has_more":false`},
		{"GET", "/v1/models/some-model", "", 200, `"id":"some-model"`},
		{"POST", "/v1/messages/count_tokens", firstAsk, 200, `"input_tokens":`},
		{"HEAD", "/", "", 200, ""},
		{"GET", "/", "", 404, "not_found_error"},
		{"POST", "/v1/unheard-of", "{}", 404, "not_found_error"},
		{"GET", "/v1/messages", "", 404, "not_found_error"},
		{"POST", "/v1/messages", "{", 400, "invalid_request_error"},
		{"POST", "/v1/messages", `{"model":"m","messages":[]}`, 400, "invalid_request_error"},
		{"POST", "/v1/messages", firstAsk, 200, closing},
	} {
		status, body := ask(t, s, tc.method, tc.path, tc.body)
		assert.Equal(t, tc.status, status, "%s %s", tc.method, tc.path)
		assert.Contains(t, body, tc.holds, "%s %s", tc.method, tc.path)
	}
}

func TestServer_Fail(t *testing.T) {
	t.Parallel()
	s := Start(t, Turn{Text: "never said"})
	for status, kind := range map[int]string{401: "authentication_error", 403: "permission_error", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error"} {
		s.Fail(status)
		got, body := ask(t, s, "POST", "/v1/messages", firstAsk)
		assert.Equal(t, status, got)
		assert.Contains(t, body, kind)
	}
	assert.Equal(t, 5, len(s.Requests()))
}

func TestServer_Hang_clientGoes(t *testing.T) {
	t.Parallel()
	s := Start(t, Turn{Text: "never said"})
	s.Hang()
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, "POST", s.URL()+"/v1/messages", strings.NewReader(firstAsk))
	assert.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		done <- err
	}()
	cancel()
	assert.IsError(t, <-done, context.Canceled, "answer to a request that hangs")
}

func TestServer_Hang_testEnds(t *testing.T) {
	t.Parallel()
	done := make(chan error, 1)
	t.Run("server", func(t *testing.T) {
		s := Start(t)
		s.Hang()
		go func() {
			resp, err := http.Post(s.URL()+"/v1/messages", "application/json", strings.NewReader(firstAsk))
			if err == nil {
				resp.Body.Close()
			}
			done <- err
		}()
		for len(s.Requests()) == 0 { // the request has arrived and hangs
			select {
			case err := <-done:
				t.Fatalf("answered at once: %v", err)
			default:
				runtime.Gosched()
			}
		}
	})
	<-done // the end of the subtest has let it go
}
