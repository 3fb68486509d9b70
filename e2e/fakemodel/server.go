package fakemodel

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// maxBody bounds a request, in bytes, as the APIs themselves do.
const maxBody = 32 << 20

// Server is a running fake. Its methods may be called from any goroutine.
type Server struct {
	t      testing.TB
	http   *httptest.Server
	closed chan struct{} // lets hanging requests go

	mu       sync.Mutex
	script   Script
	requests []Request
	trouble  trouble
	times    int // how many more requests it befalls, below 0 all
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
		// First the hanging requests, because Close waits for all of them.
		close(s.closed)
		s.http.Close()
	})
	return s
}

// URL is the base to give to a client, without a slash at its end; those of
// OpenAI's forms want /v1 after it.
func (s *Server) URL() string { return s.http.URL }

// Play has requests from now on answered by another script, which may know what the
// client was made of.
func (s *Server) Play(script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

func (s *Server) currentScript() Script {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.script
}

// Requests are those that came in so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Spent is the sum of the usage that answers reported, of requests that take part in the
// script, and how many those were.
func (s *Server) Spent() (sum Usage, answers int) {
	for _, r := range s.Requests() {
		if len(r.Tools) > 0 && r.Usage != (Usage{}) {
			sum = sum.Plus(r.Usage)
			answers++
		}
	}
	return sum, answers
}

// ServeHTTP answers as the API does whose path is asked.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	f, asks := formOf(hr.Method, hr.URL.Path)
	// The whole body is read first: only then does the server notice that a
	// client hangs up.
	body, err := io.ReadAll(http.MaxBytesReader(w, hr.Body, maxBody))
	if err != nil {
		s.fail(w, f, http.StatusRequestEntityTooLarge, err.Error())
		return
	}
	r := Request{Method: hr.Method, Path: hr.URL.Path, Body: body}
	if asks {
		err = f.parse(&r)
	}
	// Recorded before it is answered, so that failed and hanging requests are seen too.
	number, how := s.record(r)
	switch {
	case how.hang:
		select {
		case <-hr.Context().Done():
		case <-s.closed:
		}
	case how.refuses != 0:
		s.refuse(w, f, how)
	case how.status != 0:
		s.fail(w, f, how.status, "scripted "+http.StatusText(how.status))
	case err != nil:
		s.fail(w, f, http.StatusBadRequest, err.Error())
	case asks:
		s.answer(w, f, number, how.cut)
	default:
		s.answerOther(w, f, r)
	}
}

// record keeps a request and returns its number and how to misbehave to it.
func (s *Server) record(r Request) (number int, how trouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if s.times != 0 && (!s.trouble.script || len(r.Tools) > 0) {
		how = s.trouble
		s.times--
	}
	return len(s.requests) - 1, how
}

// answer sends what the script says to a request, or the first half of it.
func (s *Server) answer(w http.ResponseWriter, f form, number int, cut bool) {
	r := s.Requests()[number]
	t, turn := Turn{Text: aside}, 0
	// A request without tools asks for a title or a summary, and takes no part in the script.
	if len(r.Tools) > 0 {
		t, turn = nextTurn(s.currentScript()(r), len(r.Results))
	}
	a, err := answerTo(r, t, turn, f.caching)
	out := &stream{}
	switch {
	case err != nil:
		out.err = err
	case r.Stream:
		out = f.stream(r, a)
		w.Header().Set("Content-Type", f.media)
		w.Header().Set("Cache-Control", "no-cache")
	default:
		out.line(f.whole(r, a))
		w.Header().Set("Content-Type", "application/json")
	}
	if out.err != nil {
		s.t.Errorf("fake model: %s", out.err)
		s.fail(w, f, http.StatusInternalServerError, out.err.Error())
		return
	}
	if cut {
		out.sendHalf(w)
	}
	// An error here is a client that went away, as agents do when stopped.
	if out.send(w) == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests[number].Usage = a.usage
	}
}

func (s *Server) json(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Request-Id", "req_fake")
	w.WriteHeader(status)
	// The client went away, see answer.
	_ = json.NewEncoder(w).Encode(v)
}

// bytesPerToken is the usual rule of thumb for English and code.
const bytesPerToken = 4

// Usage is the usage that an answer reports, in tokens. Input holds neither what was
// read from a cache nor what was written to one, whatever the API calls input.
type Usage struct {
	Input       int `json:"input"`
	CachedInput int `json:"cached_input"`
	CacheWrites int `json:"cache_write"`
	Output      int `json:"output"`
}

// Plus is the sum of both.
func (u Usage) Plus(o Usage) Usage {
	return Usage{u.Input + o.Input, u.CachedInput + o.CachedInput, u.CacheWrites + o.CacheWrites, u.Output + o.Output}
}

// caching is how much an API reports of its cache.
type caching int

const (
	noCache    caching = iota
	cacheReads         // what was written counts as plain input
	cacheBoth
)

// measure gives usage as a growing conversation has it: the first request fills
// the cache, later ones read most of what they send from it. Size is that of the
// answer, in bytes.
func measure(r Request, size int, told caching) Usage {
	sent := len(r.Body)/bytesPerToken + 1
	fresh := sent/8 + 1
	u := Usage{Input: fresh, Output: size/bytesPerToken + 1}
	switch rest := max(sent-fresh, 0); {
	case told != noCache && len(r.Results) > 0:
		u.CachedInput = rest
	case told == cacheBoth:
		u.CacheWrites = rest
	default:
		u.Input += rest
	}
	return u
}
