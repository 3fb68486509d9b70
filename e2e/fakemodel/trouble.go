package fakemodel

import (
	"net/http"
	"strconv"
)

// retryAfter is how long a client is asked to wait after a 429, in seconds.
const retryAfter = 1

// trouble is how a server misbehaves.
type trouble struct {
	status    int // what to answer with, 0 = as the script says
	hang, cut bool
}

// Fail answers every request from now on with this status, such as 401 or 529,
// and the body that the API asked would give.
func (s *Server) Fail(status int) { s.misbehave(trouble{status: status}, -1) }

// FailTimes answers the next n requests with this status and is well again then.
func (s *Server) FailTimes(n, status int) { s.misbehave(trouble{status: status}, n) }

// Hang leaves every request from now on without an answer until its client goes
// away or the test ends.
func (s *Server) Hang() { s.misbehave(trouble{hang: true}, -1) }

// Cut ends every answer from now on in its middle and closes the connection.
func (s *Server) Cut() { s.misbehave(trouble{cut: true}, -1) }

func (s *Server) misbehave(how trouble, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble, s.times = how, times
}

// fail writes an error as the form has it.
func (s *Server) fail(w http.ResponseWriter, f form, status int, text string) {
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	s.json(w, status, f.failure(status, text))
}
