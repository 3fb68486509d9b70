package journal

import (
	"slices"
	"time"

	"chant/providers"
)

// Session is what is known of one agent: that which does the work of an attempt, one that
// resolves conflicts, or one that is asked a question. It is journaled as the agent tells
// of it, so that it is known of an agent too that never came to its end.
type Session struct {
	Number   int              `json:"number"`               // within an attempt from 1, unique among questions
	ID       string           `json:"session_id,omitempty"` // the CLI's own name of it
	Spec     string           `json:"spec,omitempty"`       // that a question is about
	Provider string           `json:"provider,omitempty"`
	Began    time.Time        `json:"began"`
	Spent    *providers.Spent `json:"spent,omitempty"` // nil: the CLI tells nothing
	Seconds  float64          `json:"seconds,omitempty"`
	Ended    bool             `json:"ended,omitempty"`
	Place    string           `json:"place,omitempty"` // of a question: the spec whose check tree it was asked in
	// Process is the agent's: one that lives and has not ended is at work.
	Process *providers.Process `json:"process,omitempty"`
	Told    time.Time          `json:"-"` // when it was heard of last
}

// Asked is the journal of what agents have used that were asked a question: no attempt
// of a spec is theirs, and no spec can have this name.
const Asked = ".asked"

// sessionOf takes in what a record tells of a session. One that never came to its end
// has lasted until it was heard of last.
func (a *Attempt) sessionOf(rec Record) {
	var s Session
	decode(rec.Data, &s)
	if s.Told = rec.Time; !s.Ended {
		s.Seconds = max(0, rec.Time.Sub(s.Began).Seconds())
	}
	for i := range slices.Backward(a.Sessions) {
		if a.Sessions[i].Number == s.Number {
			a.Sessions[i] = s
			return
		}
	}
	a.Sessions = append(a.Sessions, s)
}

// AtWork reports whether the agent is at work now.
func (s Session) AtWork() bool { return !s.Ended && s.Process != nil && providers.Alive(*s.Process) }
