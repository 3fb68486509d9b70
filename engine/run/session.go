package run

import (
	"chant/engine/journal"
	"chant/providers"
)

// openSession begins the record of an agent.
func (r *Run) openSession() error {
	number := r.session.Number
	for _, a := range r.History.Attempts {
		if a.Number == r.Job.Attempt {
			number = max(number, len(a.Sessions))
		}
	}
	r.session = journal.Session{Number: number + 1, Provider: r.Job.Provider, Began: r.Now().UTC()}
	return r.record(journal.Heard, journal.Note, r.session)
}

// beginSession records which process the agent is.
func (r *Run) beginSession(p providers.Process) error {
	r.session.Process = &p
	return r.record(journal.Heard, journal.Note, r.session)
}

// asker is the run as a question about a spec counts it: in a journal of its own, where
// several processes may write at once.
func (r *Run) asker(about string) *Run {
	now := r.Now().UTC()
	return &Run{
		Store: r.Store, Now: r.Now, Price: r.Price, Allow: r.Allow, OnStep: r.OnStep, History: &journal.History{},
		Job:     journal.Job{ID: journal.Asked, Provider: r.Job.Provider, Model: r.Job.Model},
		session: journal.Session{Number: int(now.UnixNano()), Spec: about, Place: r.Job.ID, Provider: r.Job.Provider, Began: now},
	}
}

// closeSession records what an agent has used in all.
func (r *Run) closeSession(a *journal.AgentReport) error {
	r.session.ID, r.session.Seconds, r.session.Ended = a.SessionID, a.Seconds, true
	if spent := a.Spent(); spent != nil {
		r.session.Spent = spent
	}
	return r.record(journal.Heard, journal.Done, r.session)
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
	return r.record(journal.Heard, journal.Note, r.session)
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
