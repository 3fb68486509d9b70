package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestServe opens every kind of page, with a stream of events beside them, and ends: nothing runs any more then.
func TestServe(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/2026-01-02-001-abc.md":              "---\nlabels: [api]\n---\n# One <b>\n",
		".chant/specs/2026-01-02-002-abc.md":              "---\ndepends_on: [2026-01-02-001-abc]\ncontext: [.chant/plans/2026-01-02-both.md]\n---\n# Two\n",
		".chant/plans/2026-01-02-both.md":                 "---\nstatus: accepted\nspecs: [2026-01-02-001-abc, 2026-01-02-002-abc]\n---\n# Both\n",
		".chant/specs/2026-01-02-003-abc.md":              "---\nstatus: [\n---\n",
		".chant/archive/2026-01-01/2026-01-01-001-abc.md": "---\nstatus: completed\n---\n# Old\n",
	})
	ctx, cancel := context.WithCancel(t.Context())
	addresses, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := Serve(ctx, p, Input{Ready: func(address string) { addresses <- address }})
		ended <- err
	}()
	address := <-addresses
	jar, err := cookiejar.New(nil)
	assert.NoError(t, err)
	client := &http.Client{Jar: jar, Transport: &http.Transport{}}
	top, _, _ := strings.Cut(address, "?")
	get := func(path string) (int, string) {
		t.Helper()
		answer, err := client.Get(top + path)
		assert.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		assert.NoError(t, err)
		if h := answer.Header; h.Get("Content-Security-Policy") != policy || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: headers %v", path, h)
		}
		return answer.StatusCode, string(body)
	}
	code, _ := get(strings.TrimPrefix(address, top))
	assert.Equal(t, 200, code, "the address is answered")
	stream, err := client.Get(top + "events")
	assert.NoError(t, err)
	defer stream.Body.Close()
	events := bufio.NewReader(stream.Body)
	line, err := events.ReadString('\n')
	assert.NoError(t, err)
	assert.Equal(t, "data: {\"type\":\"hello\"}\n", line)
	for path, want := range map[string]string{
		"": "One &lt;b&gt;", "index.html": "2026-01-02-003-abc.md:2", "graph.html": "<svg", "timeline.html": "2026-01-02-001-abc", "changelog.html": "Old",
		"label/api.html": "One &lt;b&gt;", "spec/2026-01-02-001-abc.html": "value=\"work\"", "spec/2026-01-02-002-abc.html": "One &lt;b&gt;",
		"spec/2026-01-01-001-abc.html": "archived", "static/live.js": "EventSource", "static/style.css": "color-scheme",
	} {
		code, body := get(path)
		assert.Equal(t, 200, code, "%s", path)
		assert.Contains(t, body, want, "%s", path)
	}
	_, body := get("index.html")
	assert.Contains(t, body, "<p class=\"summary\">plan 2026-01-02-both: 0 of 2 done, 1 blocked</p>")
	for _, path := range []string{"spec/none.html", "spec/2026-01-02-001.html", "label/none.html", "timeline/1999-01.html", "static/none.js", "none", "log/none?offset=0"} {
		code, _ := get(path)
		assert.Equal(t, 404, code, "%s", path)
	}
	log := p.Store.LogPath("2026-01-02-001-abc")
	assert.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(log), 0o755), os.WriteFile(log, []byte("x\n"), 0o644)))
	for offset, want := range map[string]int{"0": 200, "2": 200, "3": 400, "x": 400} {
		code, _ := get("log/2026-01-02-001-abc?offset=" + offset)
		assert.Equal(t, want, code, "the log from %s", offset)
	}
	cancel()
	_, err = io.Copy(io.Discard, events)
	assert.False(t, err != nil && !errors.Is(err, io.ErrUnexpectedEOF), "the stream does not end: %v", err)
	assert.NoError(t, <-ended)
	client.CloseIdleConnections()
}

// TestHub_compare tells pages which specs differ, and closes the stream of a page that does not listen.
func TestHub_compare(t *testing.T) {
	t.Parallel()
	var rows []view.Row
	var failed error
	text := "before"
	h := newHub(func(context.Context) ([]view.Row, error) { return rows, failed }, func(id string) string { return id + text })
	stream := h.join()
	told := func() string {
		select {
		case data := <-stream:
			return string(data)
		default:
			return ""
		}
	}
	for _, step := range []struct {
		name string
		rows []view.Row
		err  error
		want string
	}{
		{"the first time", []view.Row{{ID: "a"}, {ID: "b"}}, nil, ""},
		{"nothing", []view.Row{{ID: "a"}, {ID: "b"}}, nil, ""},
		{"one changes, one comes", []view.Row{{ID: "a", Status: "failed"}, {ID: "b"}, {ID: "c"}}, nil, `{"type":"change","ids":["a","c"]}`},
		{"not readable", nil, errors.New("no"), ""},
		{"one goes", []view.Row{{ID: "a", Status: "failed"}, {ID: "c"}}, nil, `{"type":"change","ids":["b"]}`},
	} {
		rows, failed = step.rows, step.err
		h.compare(t.Context())
		assert.Equal(t, step.want, told(), "%s", step.name)
	}
	text = "after"
	h.compare(t.Context())
	got, want := told(), `{"type":"change","ids":["a","c"]}`
	assert.Equal(t, want, got, "texts that rows do not show")
	for range 100 {
		h.send(event{Type: "log"})
	}
	for range stream {
	} // it is closed
	assert.False(t, h.hasListeners(), "a page that does not listen is still told")
}
