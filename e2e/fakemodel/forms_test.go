package fakemodel

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// speech is what a client makes of an answer, whatever its form.
type speech struct {
	text  string
	calls []string // "NAME ID INPUT"
	usage Usage
}

// dialect is a form as a client speaks it.
type dialect struct {
	path, streamPath string
	first, streaming string // a request with a prompt; what makes it a stream
	result           func(id string) string
	before           string // the end of first, before which results go
	whole            func(t *testing.T, src string) speech
	streamed         func(t *testing.T, lines []string) speech
	idPrefix         string
	failures         map[int]string
}

func dialects() map[string]dialect {
	return map[string]dialect{"chat": chatDialect(), "responses": responsesDialect(), "gemini": geminiDialect(), "ollama": ollamaDialect()}
}

// after is a request that answers the calls with these ids.
func (d dialect) after(stream bool, ids ...string) (path, body string) {
	body = d.first
	for _, id := range ids {
		body = strings.TrimSuffix(body, d.before) + "," + d.result(id) + d.before
	}
	if !stream {
		return d.path, body
	}
	return d.streamPath, strings.Replace(strings.Replace(body, `"stream":false,`, "", 1), "{", "{"+d.streaming, 1)
}

func TestForms_turns(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é<&> and so on ", 20)
	encoded, err := json.Marshal(map[string]any{"text": long})
	if err != nil {
		t.Fatal(err)
	}
	script := []Turn{
		{Text: "two at once", Calls: []Call{{Name: "read", Input: map[string]any{"file": "a"}}, {Name: "space.read"}}},
		{Calls: []Call{{Name: "write", Input: map[string]any{"text": long}}}},
		{Text: long},
	}
	for name, d := range dialects() {
		s := Start(t, script...)
		for situation, tc := range map[string]struct {
			answered []string
			text     string
			calls    []string
		}{
			"first":                {nil, "two at once", []string{`read 00000000 {"file":"a"}`, "space.read 00000001 {}"}},
			"half of it answered":  {[]string{"x"}, "two at once", []string{`read 00000000 {"file":"a"}`, "space.read 00000001 {}"}},
			"second":               {[]string{"x", "y"}, "", []string{"write 00010000 " + string(encoded)}},
			"last":                 {[]string{"x", "y", "z"}, long, nil},
			"more than was called": {[]string{"x", "y", "z", "zz"}, long, nil},
		} {
			t.Run(name+"/"+situation, func(t *testing.T) {
				t.Parallel()
				for i := range tc.calls {
					called, rest, _ := strings.Cut(tc.calls[i], " ")
					if d.idPrefix == "" {
						_, rest, _ = strings.Cut(rest, " ")
					}
					tc.calls[i] = called + " " + d.idPrefix + rest
				}
				path, body := d.after(false, tc.answered...)
				_, src := ask(t, s, "POST", path, body)
				whole := d.whole(t, src)
				path, body = d.after(true, tc.answered...)
				_, src = ask(t, s, "POST", path, body)
				for way, got := range map[string]speech{"whole": whole, "streamed": d.streamed(t, strings.Split(src, "\n"))} {
					if got.text != tc.text || !reflect.DeepEqual(got.calls, tc.calls) {
						t.Errorf("%s: %q %q, want %q %q", way, got.text, got.calls, tc.text, tc.calls)
					}
				}
			})
		}
	}
}

// A client reads what the server reports as sent, in every form's own way of
// counting.
func TestForms_usage(t *testing.T) {
	t.Parallel()
	for name, d := range dialects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Start(t, Turn{Calls: []Call{{Name: "read"}}}, Turn{Text: "finished"})
			var sum Usage
			for _, answered := range [][]string{nil, {"x"}} {
				path, body := d.after(true, answered...)
				_, src := ask(t, s, "POST", path, body)
				got := d.streamed(t, strings.Split(src, "\n")).usage
				if want := s.Requests()[len(s.Requests())-1].Usage; got != want || got.Input == 0 || got.Output == 0 {
					t.Errorf("after %q: read %+v, sent %+v", answered, got, want)
				}
				sum = sum.Plus(got)
			}
			if got, answers := s.Spent(); got != sum || answers != 2 {
				t.Errorf("%d answers, %+v, want %+v", answers, got, sum)
			}
			if cached := sum.CachedInput > 0; cached == (name == "ollama") {
				t.Errorf("usage %+v", sum)
			}
		})
	}
}

func TestForms_request(t *testing.T) {
	t.Parallel()
	for name, d := range dialects() {
		s := Start(t)
		path, body := d.after(true, "c")
		ask(t, s, "POST", path, body)
		r := s.Requests()[0]
		result := Result{CallID: "c", Text: "fine"}
		if d.idPrefix == "" {
			result.CallID = ""
		}
		if r.Model != "m" || !r.Stream || r.Prompt != "hello" || r.Tools[0] != "read" || !reflect.DeepEqual(r.Results, []Result{result}) {
			t.Errorf("%s: %+v", name, r)
		}
		for _, bad := range []string{"{", "{}", `{"model":"m"}`} {
			if status, _ := ask(t, s, "POST", path, bad); status != http.StatusBadRequest {
				t.Errorf("%s: %s is answered with %d", name, bad, status)
			}
		}
	}
}

func TestForms_fail(t *testing.T) {
	t.Parallel()
	for name, d := range dialects() {
		s := Start(t, Turn{Text: "finished"})
		path, body := d.after(true)
		for status, holds := range d.failures {
			s.FailTimes(1, status)
			got, src := ask(t, s, "POST", path, body)
			if got != status || !strings.Contains(src, holds) || !json.Valid([]byte(src)) {
				t.Errorf("%s: %d %s, want %d and %s", name, got, src, status, holds)
			}
			if status, src := ask(t, s, "POST", path, body); status != http.StatusOK {
				t.Errorf("%s: not well again: %d %s", name, status, src)
			}
		}
	}
}

func TestForms_retryAfter(t *testing.T) {
	t.Parallel()
	s := Start(t)
	s.Fail(http.StatusTooManyRequests)
	for name, d := range dialects() {
		resp, err := http.Post(s.URL()+d.path, "application/json", strings.NewReader(d.first))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Header.Get("Retry-After"); got != "1" {
			t.Errorf("%s: Retry-After %q", name, got)
		}
	}
}

func TestForms_cut(t *testing.T) {
	t.Parallel()
	for name, d := range dialects() {
		for _, stream := range []bool{true, false} {
			s := Start(t, Turn{Text: strings.Repeat("never said whole ", 50)})
			s.Cut()
			path, body := d.after(stream)
			resp, err := http.Post(s.URL()+path, "application/json", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			src, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err == nil || !strings.Contains(string(src), "never said") || strings.HasSuffix(string(src), "\n") {
				t.Errorf("%s: %v after %q", name, err, src)
			}
			if sum, answers := s.Spent(); answers != 0 {
				t.Errorf("%s: sent %+v", name, sum)
			}
		}
	}
}

// events are the data of server-sent events, without the end, which is not JSON.
func events(lines []string) []string {
	var out []string
	for _, line := range lines {
		if src, ok := strings.CutPrefix(line, "data: "); ok && src != "[DONE]" {
			out = append(out, src)
		}
	}
	return out
}

func TestForms_otherPaths(t *testing.T) {
	t.Parallel()
	s := Start(t)
	for path, holds := range map[string]string{"/v1/models": `"object":"list"`, "/api/tags": `"models":[{`} {
		if status, src := ask(t, s, "GET", path, ""); status != 200 || !strings.Contains(src, holds) {
			t.Errorf("%s: %d %s", path, status, src)
		}
	}
	if status, src := ask(t, s, "POST", "/v1beta/models/m:countTokens", "{}"); status != 200 || !strings.Contains(src, "totalTokens") {
		t.Errorf("countTokens: %d %s", status, src)
	}
	for _, path := range []string{"/api/pull", "/v1beta/models/m:embedContent", "/v1/chat", "/v1/responses/x"} {
		if status, src := ask(t, s, "POST", path, "{}"); status != 404 {
			t.Errorf("%s: %d %s", path, status, src)
		}
	}
}

// objects decodes lines of JSON.
func objects[T any](t *testing.T, src string) []T {
	t.Helper()
	var out []T
	lines := bufio.NewScanner(strings.NewReader(src))
	for lines.Scan() {
		out = append(out, decode[T](t, lines.Text()))
	}
	return out
}
