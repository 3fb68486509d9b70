package fakemodel

import (
	"net/http"
	"strconv"
)

// retryAfter is how long a client is asked to wait after a 429, in seconds, unless a test says otherwise.
const retryAfter = 1

// trouble is how a server misbehaves.
type trouble struct {
	status    int     // what to answer with, 0 = as the script says
	refuses   problem // what to answer with as the API does, 0 = nothing
	seconds   int     // that a client is asked to wait
	hang, cut bool
	script    bool // only for requests that take part in the script
}

// Fail answers every request from now on with this status, such as 401 or 529,
// and the body that the API asked would give.
func (s *Server) Fail(status int) { s.misbehave(trouble{status: status}, -1) }

// FailTimes answers the next n requests with this status and is well again then.
func (s *Server) FailTimes(n, status int) { s.misbehave(trouble{status: status}, n) }

// WrongKey answers every request from now on as the API does that does not know the key.
func (s *Server) WrongKey() { s.misbehave(trouble{refuses: wrongKey}, -1) }

// UnknownModel answers every request from now on as the API does that does not know the model.
func (s *Server) UnknownModel() { s.misbehave(trouble{refuses: unknownModel}, -1) }

// TooMany answers every request from now on as the API does that is asked too often, and wants its client to wait.
func (s *Server) TooMany(seconds int) {
	s.misbehave(trouble{refuses: tooMany, seconds: seconds}, -1)
}

// Hang leaves every request from now on without an answer until its client goes
// away or the test ends.
func (s *Server) Hang() { s.misbehave(trouble{hang: true}, -1) }

// Cut ends every answer from now on in its middle and closes the connection.
func (s *Server) Cut() { s.misbehave(trouble{cut: true}, -1) }

// BusyOnce answers the next request that takes part in the script as TooMany does, and is well again then.
func (s *Server) BusyOnce() {
	s.misbehave(trouble{refuses: tooMany, seconds: retryAfter, script: true}, 1)
}

func (s *Server) misbehave(how trouble, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble, s.times = how, times
}

// fail writes an error as the form has it.
func (s *Server) fail(w http.ResponseWriter, f form, status int, text string) {
	s.failWith(w, status, retryAfter, f.failure(status, text))
}

// refuse writes what the API says then.
func (s *Server) refuse(w http.ResponseWriter, f form, how trouble) {
	r := f.refusals(how.refuses, how.seconds)
	if r.body == nil {
		r.body = f.failure(r.status, r.text)
	}
	s.failWith(w, r.status, how.seconds, r.body)
}

func (s *Server) failWith(w http.ResponseWriter, status, wait int, body any) {
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(wait))
	}
	s.json(w, status, body)
}
