package mcp

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chant/engine"

	"github.com/alecthomas/assert/v2"
)

const initializeLine = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`

// sessionFor is a client over HTTP.
type sessionFor struct {
	t   *testing.T
	url string
	id  string // of its session
	hc  *http.Client
}

// sessionServer serves tools of the test's own.
func sessionServer(t *testing.T, e *endpoint) *sessionFor {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	e.ctx = ctx
	server := httptest.NewServer(e.handler("1"))
	v := &sessionFor{t: t, url: server.URL + EndpointPath, hc: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(func() {
		stop()
		v.hc.CloseIdleConnections()
		server.CloseClientConnections()
		server.Close()
		e.inFlight.Drain(stopGrace)
		e.srv.idle.End()
	})
	return v
}

func blank(string) (*engine.Project, error) { return &engine.Project{}, nil }

// do sends a request and returns its reply, whose body is the caller's.
func (v *sessionFor) do(ctx context.Context, method, body string, header ...string) *http.Response {
	v.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, v.url, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if v.id != "" {
		r.Header.Set("Mcp-Session-Id", v.id)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	reply, err := v.hc.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	return reply
}

func (v *sessionFor) post(body string, header ...string) (status int, text string) {
	v.t.Helper()
	reply := v.do(v.t.Context(), http.MethodPost, body, header...)
	defer reply.Body.Close()
	out, err := io.ReadAll(reply.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return reply.StatusCode, string(out)
}

// initialize begins a session.
func (v *sessionFor) initialize() {
	v.t.Helper()
	reply := v.do(v.t.Context(), http.MethodPost, initializeLine)
	reply.Body.Close()
	if v.id = reply.Header.Get("Mcp-Session-Id"); v.id == "" {
		v.t.Fatal("no session")
	}
}

// event reads one event, fields joined by a blank.
func event(t *testing.T, in *bufio.Reader) string {
	t.Helper()
	var fields []string
	for {
		line, err := in.ReadString('\n')
		assert.NoError(t, err)
		if line = strings.TrimSpace(line); line == "" {
			return strings.Join(fields, " ")
		}
		fields = append(fields, line)
	}
}

func TestVisit_beginsAndEnds(t *testing.T) {
	t.Parallel()
	v := sessionServer(t, &endpoint{srv: newServer(t.Output(), blank, fixed(echo()), Options{Version: "0"})})
	v.initialize()
	status, body := v.post(pingLine)
	assert.Equal(t, 200, status)
	assert.Contains(t, body, `"id":"ping"`)
	reply := v.do(t.Context(), http.MethodDelete, "")
	reply.Body.Close()
	assert.Equal(t, 204, reply.StatusCode)
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		reply := v.do(t.Context(), method, pingLine)
		reply.Body.Close()
		assert.Equal(t, 404, reply.StatusCode, "%s in a session that is over", method)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		reply := v.do(t.Context(), method, "", "Mcp-Protocol-Version", "2026-07-28")
		reply.Body.Close()
		assert.Equal(t, 405, reply.StatusCode, "%s of a version without sessions", method)
	}
}

// TestVisit_replyIsFetchedAfterTheConnectionIsLost loses the connection in the
// middle of a call and comes back for its reply, twice.
func TestVisit_replyIsFetchedAfterTheConnectionIsLost(t *testing.T) {
	t.Parallel()
	begun, letGo := make(chan struct{}, 1), make(chan struct{})
	v := sessionServer(t, &endpoint{srv: newServer(t.Output(), blank, fixed(waiting(begun, letGo)), Options{Version: "0"})})
	v.initialize()
	ctx, lose := context.WithCancel(t.Context())
	reply := v.do(ctx, http.MethodPost, callLine(7, "wait", struct{}{}))
	assert.Equal(t, "id: 1-0 retry: 1000 data:", event(t, bufio.NewReader(reply.Body)))
	<-begun
	lose()
	reply.Body.Close()
	close(letGo)
	for range 2 {
		reply = v.do(t.Context(), http.MethodGet, "", "Last-Event-ID", "1-0")
		text, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		assert.NoError(t, err, "got %q", text)
		assert.Equal(t, 200, reply.StatusCode, "got %q", text)
		assert.HasPrefix(t, string(text), "id: 1-1\nevent: message\ndata: {", "got %q", text)
		assert.Contains(t, string(text), "let go", "got %q", text)
	}
	for _, id := range []string{"9-0", "x", "1-x", "1--4"} {
		reply = v.do(t.Context(), http.MethodGet, "", "Last-Event-ID", id)
		reply.Body.Close()
		assert.Equal(t, 400, reply.StatusCode, "after %q", id)
	}
}

func TestVisit_cancelledCallHasNoReply(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 1)
	v := sessionServer(t, &endpoint{srv: newServer(t.Output(), blank, fixed(waiting(begun, nil)), Options{Version: "0"})})
	v.initialize()
	reply := v.do(t.Context(), http.MethodPost, callLine(7, "wait", struct{}{}))
	defer reply.Body.Close()
	<-begun
	status, _ := v.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	assert.Equal(t, 202, status)
	text, err := io.ReadAll(reply.Body)
	assert.NoError(t, err, "got %q", text)
	assert.NotContains(t, string(text), `"id":7`, "got %q", text)
}

// TestVisit_callOutsideOfASessionEndsWithItsConnection hangs up on a call that
// nobody could fetch later.
func TestVisit_callOutsideOfASessionEndsWithItsConnection(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 1)
	e := &endpoint{srv: newServer(t.Output(), blank, fixed(waiting(begun, nil)), Options{Version: "0"})}
	v := sessionServer(t, e)
	ctx, lose := context.WithCancel(t.Context())
	reply := v.do(ctx, http.MethodPost, callLine(7, "wait", struct{}{}))
	<-begun
	lose()
	reply.Body.Close()
	e.inFlight.Drain(stopGrace)
}

func TestVisit_changesAreTold(t *testing.T) {
	t.Parallel()
	dir, id := oneSpec(t)
	v := sessionServer(t, &endpoint{srv: newServer(t.Output(), opener(dir), fixed(), Options{Version: "0"})})
	v.initialize()
	status, body := v.post(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"spec://` + id + `"}}`)
	assert.Equal(t, 200, status)
	assert.NotContains(t, body, "error")
	ctx, lose := context.WithCancel(t.Context())
	defer lose()
	reply := v.do(ctx, http.MethodGet, "")
	defer reply.Body.Close()
	writeSpec(t, dir, id, "# Changed\n")
	got := event(t, bufio.NewReader(reply.Body))
	assert.Contains(t, got, "notifications/resources/updated")
	assert.Contains(t, got, id)
}

// TestListen_changesAreToldUnderItsID subscribes as clients of 2026-07-28 do.
func TestListen_changesAreToldUnderItsID(t *testing.T) {
	t.Parallel()
	dir, id := oneSpec(t)
	v := sessionServer(t, &endpoint{srv: newServer(t.Output(), opener(dir), fixed(), Options{Version: "0"})})
	ctx, lose := context.WithCancel(t.Context())
	defer lose()
	listen := `{"jsonrpc":"2.0","id":"sub","method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["spec://` + id + `"]},` + modern + `}}`
	reply := v.do(ctx, http.MethodPost, listen, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")
	defer reply.Body.Close()
	in := bufio.NewReader(reply.Body)
	assert.Contains(t, event(t, in), "subscriptions/acknowledged")
	writeSpec(t, dir, id, "# Changed\n")
	got := event(t, in)
	assert.Contains(t, got, "notifications/resources/updated")
	assert.Contains(t, got, `"io.modelcontextprotocol/subscriptionId":"sub"`)
}

func TestHandler_headersOfTheNewestVersion(t *testing.T) {
	t.Parallel()
	v := sessionServer(t, &endpoint{srv: newServer(t.Output(), blank, fixed(echo()), Options{Version: "0"})})
	call := `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{},` + modern + `}}`
	for name, tt := range map[string]struct {
		header []string
		status int
	}{
		"all":          {[]string{"Mcp-Method", "tools/call", "Mcp-Name", "echo"}, 200},
		"no method":    {[]string{"Mcp-Name", "echo"}, 400},
		"no name":      {[]string{"Mcp-Method", "tools/call"}, 400},
		"other method": {[]string{"Mcp-Method", "ping", "Mcp-Name", "echo"}, 400},
		"other name":   {[]string{"Mcp-Method", "tools/call", "Mcp-Name", "other"}, 400},
	} {
		status, body := v.post(call, append(tt.header, "Mcp-Protocol-Version", "2026-07-28")...)
		assert.Equal(t, tt.status, status, "%s", name)
		assert.False(t, status == 400 && !strings.Contains(body, `"id":3`), "%s: got %d %s", name, status, body)
	}
}

func TestVisits_theIdlestGoesFirst(t *testing.T) {
	t.Parallel()
	s := newServer(io.Discard, nowhere, fixed(), Options{Version: "0"})
	var l httpSessions
	var made []*httpSession
	for range maxSessions {
		v := s.begin(t.Context())
		defer v.stop()
		assert.True(t, l.add(v), "no room")
		made = append(made, v)
	}
	defer made[1].reads()()
	l.find(made[0].id)
	next := s.begin(t.Context())
	defer next.stop()
	assert.True(t, l.add(next), "the session used longest ago is still there")
	assert.True(t, l.find(made[2].id) == nil, "the session used longest ago is still there")
	assert.Error(t, made[2].ctx.Err(), "the session used longest ago is still there")
	for _, i := range []int{0, 1} {
		assert.True(t, l.find(made[i].id) != nil, "session %d, used or read, is gone", i)
	}
	for _, v := range l.list {
		defer v.reads()()
	}
	last := s.begin(t.Context())
	defer last.stop()
	assert.False(t, l.add(last), "a busy session made room")
}

func TestVisit_keepsSoManyStreams(t *testing.T) {
	t.Parallel()
	v := newServer(io.Discard, nowhere, fixed(), Options{Version: "0"}).begin(t.Context())
	defer v.stop()
	open := v.stream()
	for range maxStreams - 1 {
		v.stream().End()
	}
	assert.True(t, v.stream() != nil, "no room although replies are whole")
	open.Add([]byte("{}"))
	_, from, ok := v.resume("1-0")
	assert.True(t, ok, "the reply of a call that is under way goes on at %d, %v", from, ok)
	assert.Equal(t, 1, from, "the reply of a call that is under way goes")
	for _, gone := range []string{"2-0", "1-1", "1-9223372036854775807"} {
		_, _, ok := v.resume(gone)
		assert.False(t, ok, "%s is still there", gone)
	}
	for range maxStreams - 2 {
		v.stream()
	}
	assert.True(t, v.stream() == nil, "room although no reply is whole")
}
