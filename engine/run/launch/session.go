package launch

import (
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/providers"
)

// openSession begins the record of an agent.
func (l *Launcher) openSession() error {
	number := l.session.Number
	for _, a := range l.History.Attempts {
		if a.Number == l.Job.Attempt {
			number = max(number, len(a.Sessions))
		}
	}
	l.session, l.notes = journal.Session{Number: number + 1, Provider: l.Job.Provider, Began: l.Now().UTC()}, 0
	return l.Record(journal.Heard, journal.Note, l.session)
}

// Began returns when the agent at work, or the last one of this attempt, has started; zero if that is not known.
func (l *Launcher) Began() time.Time {
	began := l.session.Began
	for _, a := range l.History.Attempts {
		if n := len(a.Sessions); began.IsZero() && a.Number == l.Job.Attempt && n > 0 {
			began = a.Sessions[n-1].Began // of a process that was killed since
		}
	}
	return began
}

// beginSession records the process of the agent.
func (l *Launcher) beginSession(p providers.Process) error {
	l.session.Process = &p
	return l.Record(journal.Heard, journal.Note, l.session)
}

// asker returns the run with the journal of questions, to which several processes may write at once.
func (l *Launcher) asker(about string) *Launcher {
	now := l.Now().UTC()
	return &Launcher{
		Attempt: &attempt.Attempt{
			Store: l.Store, Now: l.Now, OnStep: l.OnStep, History: &journal.History{},
			Job: journal.Job{ID: journal.Asked, Provider: l.Job.Provider, Model: l.Job.Model},
		},
		Price: l.Price, Allow: l.Allow,
		session: journal.Session{Number: int(now.UnixNano()), Spec: about, Place: l.Job.ID, Provider: l.Job.Provider, Began: now},
	}
}

// closeSession records what an agent has used in total.
func (l *Launcher) closeSession(a *journal.AgentReport) error {
	l.session.ID, l.session.Seconds, l.session.Ended = a.SessionID, a.Seconds, true
	if spent := a.Spent(); spent != nil {
		l.session.Spent = spent
	}
	return l.Record(journal.Heard, journal.Done, l.session)
}

// everyNote is up to how many notes of a session are all recorded. Of more, one in a hundredth of those before is: an agent can
// print millions, and every command reads the journal. The end of the session is always recorded.
const everyNote = 100

// keep records what an event says about the session.
func (l *Launcher) keep(ev providers.Event) error {
	switch ev.Kind {
	case providers.Init:
		l.session.ID = ev.Session
	case providers.Spending:
		spent := l.priced(*ev.Spent)
		l.session.Spent = &spent
	default:
		return nil
	}
	if l.notes++; l.notes%max(1, l.notes/everyNote) != 0 {
		return nil
	}
	return l.Record(journal.Heard, journal.Note, l.session)
}

// before returns what a resumed session had used, nil for a new one or if that is unknown: some CLIs report the use of
// the whole session each time it ends.
func (l *Launcher) before() *providers.Spent {
	if l.Job.Session == "" {
		return nil
	}
	var sum *providers.Spent
	for _, a := range l.History.Attempts {
		for _, s := range a.Sessions {
			if s.ID == l.Job.Session && s.Spent != nil {
				sum = sum.Plus(s.Spent)
			}
		}
	}
	return sum
}
