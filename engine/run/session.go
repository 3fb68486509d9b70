package run

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

// openSession begins the record of an agent.
func (r *Run) openSession() error {
	number := r.session.Number
	for _, a := range r.History.Attempts {
		if a.Number == r.Job.Attempt {
			number = max(number, len(a.Sessions))
		}
	}
	r.session = Session{Number: number + 1, Provider: r.Job.Provider, Began: r.Now().UTC()}
	return r.record(Heard, Note, r.session)
}

// beginSession records which process the agent is.
func (r *Run) beginSession(p providers.Process) error {
	r.session.Process = &p
	return r.record(Heard, Note, r.session)
}

// AtWork reports whether the agent is at work now.
func (s Session) AtWork() bool { return !s.Ended && s.Process != nil && providers.Alive(*s.Process) }

// asker is the run as a question about a spec counts it: in a journal of its own, where
// several processes may write at once.
func (r *Run) asker(about string) *Run {
	now := r.Now().UTC()
	return &Run{
		Store: r.Store, Now: r.Now, Price: r.Price, Allow: r.Allow, OnStep: r.OnStep, History: &History{},
		Job:     Job{ID: Asked, Provider: r.Job.Provider, Model: r.Job.Model},
		session: Session{Number: int(now.UnixNano()), Spec: about, Place: r.Job.ID, Provider: r.Job.Provider, Began: now},
	}
}

// closeSession records what an agent has used in all.
func (r *Run) closeSession(a *AgentReport) error {
	r.session.ID, r.session.Seconds, r.session.Ended = a.SessionID, a.Seconds, true
	if spent := a.spent(); spent != nil {
		r.session.Spent = spent
	}
	return r.record(Heard, Done, r.session)
}

// keep records what an event tells of the session.
func (r *Run) keep(ev providers.Event) error {
	switch ev.Kind {
	case providers.Init:
		r.session.ID = ev.Session
	case providers.Spending:
		spent := r.priced(*ev.Spent)
		r.session.Spent = &spent
	default:
		return nil
	}
	return r.record(Heard, Note, r.session)
}

// before is what a session has used that is gone on with, nil for a new one and when
// nothing is known: some CLIs tell of all of a session whenever it ends.
func (r *Run) before() *providers.Spent {
	if r.Job.Session == "" {
		return nil
	}
	var sum *providers.Spent
	for _, a := range r.History.Attempts {
		for _, s := range a.Sessions {
			if s.ID == r.Job.Session && s.Spent != nil {
				sum = sum.Plus(s.Spent)
			}
		}
	}
	return sum
}
