package run

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"chant/providers"
)

// Session is what is known of one agent of an attempt: that which does the work, or one
// that resolves conflicts. It is journaled as the agent tells of it, so that it is known
// of an agent too that never came to its end.
type Session struct {
	Number   int              `json:"number"`               // from 1 within an attempt
	ID       string           `json:"session_id,omitempty"` // the CLI's own name of it
	Provider string           `json:"provider,omitempty"`
	Began    time.Time        `json:"began"`
	Spent    *providers.Spent `json:"spent,omitempty"` // nil: the CLI tells nothing
	Seconds  float64          `json:"seconds,omitempty"`
	Ended    bool             `json:"ended,omitempty"`
}

// sessionOf takes in what a record tells of a session.
func (a *Attempt) sessionOf(rec Record) {
	var s Session
	decode(rec.Data, &s)
	if n := len(a.Sessions); n > 0 && a.Sessions[n-1].Number == s.Number {
		a.Sessions[n-1] = s
		return
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

// closeSession records what an agent has used in all.
func (r *Run) closeSession(a *AgentReport) error {
	r.session.ID, r.session.Seconds, r.session.Ended = a.SessionID, a.Seconds, true
	if spent := a.spent(); spent != nil {
		r.session.Spent = spent
	}
	return r.record(Heard, Done, r.session)
}

// spent is what the agent has told of what it has used, nil when it told nothing.
func (a *AgentReport) spent() *providers.Spent {
	if a.Usage == nil && a.CostUSD == nil && a.Turns == 0 {
		return nil
	}
	return &providers.Spent{Usage: a.Usage, CostUSD: a.CostUSD, Turns: a.Turns, Model: a.Model}
}

// Asked is the journal of what agents have used that were asked a question: no attempt
// of a spec is theirs, and no spec can have this name.
const Asked = ".asked"

// recordAsked records what an agent has used that has answered, or failed to.
func (r *Run) recordAsked(id string, a *AgentReport) error {
	now := r.Now().UTC()
	s := Session{
		Number: int(now.UnixNano()), // several processes may write there at once
		ID:     a.SessionID, Provider: r.Job.Provider, Began: now.Add(-time.Duration(a.Seconds * float64(time.Second))), Seconds: a.Seconds, Ended: true,
		Spent: a.spent(),
	}
	asker := Run{Store: r.Store, Now: r.Now, Job: Job{ID: Asked, Title: id, Attempt: 1, Provider: r.Job.Provider, Model: r.Job.Model}}
	return errors.Join(asker.record(Open, Begin, asker.Job), asker.record(Heard, Done, s))
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

// priced fills in the model that was asked for and the cost by the project's prices,
// where the CLI tells neither.
func (r *Run) priced(spent providers.Spent) providers.Spent {
	if spent.Model == "" {
		spent.Model = r.Job.Model
	}
	if spent.CostUSD == nil && spent.Usage != nil && r.Price != nil {
		spent.CostUSD = r.Price(spent.Model, *spent.Usage)
	}
	return spent
}

// allow asks whether the agent may go on.
func (r *Run) allow(spent providers.Spent) string {
	if r.Allow == nil {
		return ""
	}
	return r.Allow(r.session, r.priced(spent))
}

// report is what is kept of an agent that has ended.
func (r *Run) report(out providers.Outcome) *AgentReport {
	spent := r.priced(providers.Spent{Usage: out.Usage, CostUSD: out.CostUSD, Model: out.Model})
	return &AgentReport{
		OK: out.OK, Reason: out.Reason, Model: spent.Model, SessionID: cmp.Or(out.SessionID, r.session.ID), Text: out.Text,
		Usage: out.Usage, CostUSD: spent.CostUSD, Priced: out.CostUSD == nil && spent.CostUSD != nil, Turns: out.Turns,
		Denied: out.Denied, Overdrawn: out.Overdrawn, Seconds: out.Duration.Seconds(), ExitCode: out.Exit.Code,
	}
}

// spelled says what an agent has used so far, for people.
func spelled(s providers.Spent) string {
	text := fmt.Sprintf("turn %d", s.Turns)
	if u := s.Usage; u != nil {
		text += fmt.Sprintf(", %d tokens in, %d out", u.Total()-u.Output, u.Output)
	}
	if s.CostUSD != nil {
		text += fmt.Sprintf(", $%.4f", *s.CostUSD)
	}
	return text
}
