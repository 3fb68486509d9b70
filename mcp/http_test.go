package mcp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chant/engine"

	"github.com/alecthomas/assert/v2"
)

// post sends one message to a handler and returns status and body.
func post(t *testing.T, h http.Handler, body string, header map[string]string) (int, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:7777"+EndpointPath, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for k, v := range header {
		r.Header.Set(k, v)
	}
	if host := header["Host"]; host != "" {
		r.Host = host
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func handle(t *testing.T, h HTTPOptions, open func(string) (*engine.Project, error)) http.Handler {
	t.Helper()
	e, err := newEndpoint(t.Context(), t.Output(), open, Options{}, h)
	assert.NoError(t, err)
	return e.handler("0.1.0")
}

func TestHandler_messages(t *testing.T) {
	t.Parallel()
	h := handle(t, HTTPOptions{}, nowhere)
	for name, tt := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"initialize":   {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, 200, `"resources":{"subscribe":true}`},
		"ping":         {pingLine, 200, `{"jsonrpc":"2.0","result":{},"id":"ping"}`},
		"notification": {`{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, ``},
		"response":     {`{"jsonrpc":"2.0","id":1,"result":{}}`, 202, ``},
		"bad":          {`nonsense`, 400, `"code":-32700`},
		"batch":        {`[]`, 400, `"code":-32600`},
		"no project":   {callLine(1, "chant_status", struct{}{}), 200, engine.ErrNotInitialized.Error()},
	} {
		status, body := post(t, h, tt.body, nil)
		assert.Equal(t, tt.status, status, "%s", name)
		assert.Contains(t, body, tt.want, "%s", name)
		assert.False(t, tt.want == "" && body != "", "%s: got %d %s", name, status, body)
	}
}

func TestHandler_whoMayTalk(t *testing.T) {
	t.Parallel()
	h := handle(t, HTTPOptions{Token: "secret", Hosts: []string{"chant.example"}}, nowhere)
	ok := map[string]string{"Authorization": "Bearer secret"}
	with := func(k, v string) map[string]string { return map[string]string{"Authorization": "Bearer secret", k: v} }
	for name, tt := range map[string]struct {
		header map[string]string
		status int
	}{
		"token":          {ok, 200},
		"no token":       {nil, 401},
		"wrong token":    {map[string]string{"Authorization": "Bearer other"}, 401},
		"other scheme":   {map[string]string{"Authorization": "Basic secret"}, 401},
		"other host":     {with("Host", "evil.example"), 403},
		"host and port":  {with("Host", "evil.example:80"), 403},
		"odd localhost":  {with("Host", "LOCALHOST.:7777"), 200},
		"odd scheme":     {map[string]string{"Authorization": "bearer secret"}, 200},
		"localhost":      {with("Host", "localhost:7777"), 200},
		"loopback 6":     {with("Host", "[::1]:7777"), 200},
		"allowed host":   {with("Host", "chant.example"), 200},
		"own page":       {with("Origin", "http://localhost:3000"), 200},
		"other page":     {with("Origin", "https://evil.example"), 403},
		"no page":        {with("Origin", "null"), 403},
		"form":           {with("Content-Type", "text/plain"), 415},
		"known version":  {with("MCP-Protocol-Version", "2025-06-18"), 200},
		"strange one":    {with("MCP-Protocol-Version", "1999-01-01"), 400},
		"prefix of host": {with("Host", "127.0.0.1.evil.example"), 403},
	} {
		status, body := post(t, h, pingLine, tt.header)
		assert.Equal(t, tt.status, status, "%s: got %s", name, body)
	}
}

func TestHandler_otherRequests(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(handle(t, HTTPOptions{}, nowhere))
	defer server.Close()
	for _, tt := range []struct {
		method, path string
		status       int
	}{
		{http.MethodGet, HealthPath, 200}, {http.MethodGet, EndpointPath, 405}, {http.MethodDelete, EndpointPath, 405}, {http.MethodGet, "/", 404},
	} {
		r, err := http.NewRequestWithContext(t.Context(), tt.method, server.URL+tt.path, http.NoBody)
		assert.NoError(t, err)
		reply, err := server.Client().Do(r)
		assert.NoError(t, err)
		body, _ := io.ReadAll(reply.Body)
		reply.Body.Close()
		assert.Equal(t, tt.status, reply.StatusCode, "%s %s: got %s", tt.method, tt.path, body)
	}
	status, _ := post(t, handle(t, HTTPOptions{}, nowhere), strings.Repeat(" ", maxMessage+1), nil)
	assert.Equal(t, 413, status)
}

// TestHandler_longCallIsAStream finalizes a spec whose criterion has a command
// and asks to be told of progress.
func TestHandler_longCallIsAStream(t *testing.T) {
	t.Parallel()
	dir := project(t, map[string]string{"2026-01-01-001-aaa": "---\nstatus: in_progress\n---\n# One\n\n## Acceptance Criteria\n\n- [ ] It is so `$ true`\n"})
	h := handle(t, HTTPOptions{}, opener(dir))
	status, body := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chant_verify","arguments":{"id":"001","run":true},"_meta":{"progressToken":"p"}}}`,
		map[string]string{"Accept": "application/json, text/event-stream"})
	events := strings.Split(strings.TrimSpace(body), "\n\n")
	last := events[len(events)-1]
	assert.Equal(t, 200, status)
	assert.True(t, len(events) >= 2, "got %d %q", status, events)
	assert.HasPrefix(t, events[0], "event: message\ndata: {")
	assert.Contains(t, events[0], `"progressToken":"p"`)
	_, data, _ := strings.Cut(last, "data: ")
	assert.Contains(t, readAnswer(t, data).text(), `"verified": true`, "last event %q", last)
}

func TestServeHTTP(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	urls, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- ServeHTTP(ctx, t.Output(), nowhere, Options{}, HTTPOptions{Addr: "127.0.0.1:0", Ready: func(url string) error {
			urls <- url
			return nil
		}})
	}()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, <-urls, strings.NewReader(pingLine))
	assert.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	reply, err := client.Do(r)
	assert.NoError(t, err)
	body, err := io.ReadAll(reply.Body)
	reply.Body.Close()
	assert.NoError(t, err)
	assert.Equal(t, `{"jsonrpc":"2.0","result":{},"id":"ping"}`, string(body))
	half, err := net.Dial("tcp", r.URL.Host)
	assert.NoError(t, err)
	defer half.Close()
	_, err = io.WriteString(half, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
	assert.NoError(t, err)
	stop() // half a request holds nobody up
	assert.NoError(t, <-ended)
	for _, addr := range []string{"0.0.0.0:0", ":0", "127.0.0.1", "chant.example:80"} {
		err := ServeHTTP(t.Context(), t.Output(), nowhere, Options{}, HTTPOptions{Addr: addr})
		var e *engine.Error
		assert.True(t, errors.As(err, &e), "%q: got %v", addr, err)
		assert.Equal(t, engine.Usage, e.Code, "%q", addr)
	}
	err = ServeHTTP(t.Context(), t.Output(), nowhere, Options{}, HTTPOptions{Addr: "127.0.0.1:0", Ready: func(string) error { return errBroken }})
	assert.IsError(t, err, errBroken, "nobody could be told of the address")
}
