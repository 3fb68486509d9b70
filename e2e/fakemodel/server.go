package fakemodel

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// maxBody bounds a request, in bytes, as the API itself does.
const maxBody = 32 << 20

// Server is a running fake. Its methods may be called from any goroutine.
type Server struct {
	t      testing.TB
	http   *httptest.Server
	script Script
	closed chan struct{} // lets hanging requests go

	mu       sync.Mutex
	requests []Request
	status   int // what everything is answered with, 0 = as the script says
	hang     bool
}

// Start serves one conversation: these turns, whatever it is about. The server
// closes with the test.
func Start(t testing.TB, turns ...Turn) *Server {
	return StartScript(t, func(Request) []Turn { return turns })
}

// StartScript serves conversations whose turns depend on the request, such as
// on a path that its prompt names.
func StartScript(t testing.TB, script Script) *Server {
	s := &Server{t: t, script: script, closed: make(chan struct{})}
	s.http = httptest.NewServer(s)
	t.Cleanup(func() {
		close(s.closed)
		s.http.Close()
	})
	return s
}

// URL is the base to give to a client, without a slash at its end.
func (s *Server) URL() string { return s.http.URL }

// Fail answers every request from now on with this status, such as 401 or 529.
func (s *Server) Fail(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

// Hang leaves every request from now on without an answer until its client goes
// away or the test ends.
func (s *Server) Hang() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hang = true
}

// Requests are those that came in so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ServeHTTP answers as the API does. It accepts any prefix before /v1, as
// clients that go through a gateway send one.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	// The whole body is read first: only then does the server notice that a
	// client hangs up.
	body, err := io.ReadAll(http.MaxBytesReader(w, hr.Body, maxBody))
	if err != nil {
		s.json(w, http.StatusRequestEntityTooLarge, failure(http.StatusRequestEntityTooLarge, err.Error()))
		return
	}
	r := Request{Method: hr.Method, Path: hr.URL.Path, Body: body}
	_, route, _ := strings.Cut(r.Path, "/v1/")
	isMessages := route == "messages" && r.Method == http.MethodPost
	if isMessages {
		err = r.parse()
	}
	status, hang := s.record(r)
	switch {
	case hang:
		select {
		case <-hr.Context().Done():
		case <-s.closed:
		}
	case status != 0:
		s.json(w, status, failure(status, "scripted "+http.StatusText(status)))
	case err != nil:
		s.json(w, http.StatusBadRequest, failure(http.StatusBadRequest, err.Error()))
	case isMessages:
		s.messages(w, r)
	default:
		s.other(w, r, route)
	}
}

// record keeps a request and returns how the server is told to misbehave.
func (s *Server) record(r Request) (status int, hang bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	return s.status, s.hang
}

func (s *Server) messages(w http.ResponseWriter, r Request) {
	t, turn := Turn{Text: aside}, 0
	if len(r.Tools) > 0 {
		t, turn = next(s.script(r), len(r.Results))
	}
	m, err := reply(r, t, turn)
	if err != nil {
		s.t.Errorf("fake model: %s", err)
		s.json(w, http.StatusInternalServerError, failure(http.StatusInternalServerError, err.Error()))
		return
	}
	if !r.Stream {
		s.json(w, http.StatusOK, m)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	// An error here is a client that went away, as agents do when stopped.
	_ = (&stream{w: w}).message(m)
}

// other answers what clients ask beside messages.
func (s *Server) other(w http.ResponseWriter, r Request, route string) {
	name, isModel := strings.CutPrefix(route, "models/")
	switch {
	case route == "messages/count_tokens":
		s.json(w, http.StatusOK, map[string]int{"input_tokens": len(r.Body)/bytesPerToken + 1})
	case route == "models":
		m := model("fake-model")
		s.json(w, http.StatusOK, map[string]any{"data": []any{m}, "has_more": false, "first_id": m["id"], "last_id": m["id"]})
	case isModel:
		s.json(w, http.StatusOK, model(name))
	case route == "" && r.Method == http.MethodHead: // clients warm up the connection so
	default:
		s.json(w, http.StatusNotFound, failure(http.StatusNotFound, "no such path"))
	}
}

func model(id string) map[string]any {
	return map[string]any{"type": "model", "id": id, "display_name": id, "created_at": "2026-01-01T00:00:00Z"}
}

func (s *Server) json(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Request-Id", "req_fake")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // see messages: the client went away
}
