package run

import (
	"fmt"

	"chant/providers"
)

// Session is what an agent has told while it was at work. It stands in the journal, so
// that it is known of an agent too that never came to its end.
type Session struct {
	ID    string           `json:"session_id,omitempty"` // the CLI's own name of it
	Spent *providers.Spent `json:"spent,omitempty"`
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
	if spent.CostUSD == nil && r.Price != nil {
		spent.CostUSD = r.Price(spent.Model, spent.Usage)
	}
	return spent
}

// allow asks whether the agent may go on.
func (r *Run) allow(spent providers.Spent) string {
	if r.Allow == nil {
		return ""
	}
	return r.Allow(r.priced(spent))
}

// report is what is kept of an agent that has ended.
func (r *Run) report(out providers.Outcome) *AgentReport {
	a := &AgentReport{
		OK: out.OK, Reason: out.Reason, Model: out.Model, SessionID: out.SessionID, Text: out.Text,
		Usage: out.Usage, CostUSD: out.CostUSD, Turns: out.Turns, Denied: out.Denied,
		Seconds: out.Duration.Seconds(), ExitCode: out.Exit.Code,
	}
	if a.SessionID == "" {
		a.SessionID = r.session.ID
	}
	if a.Model == "" {
		a.Model = r.Job.Model
	}
	if a.Usage != nil && a.CostUSD == nil && r.Price != nil {
		a.CostUSD = r.Price(a.Model, *a.Usage)
		a.Priced = a.CostUSD != nil
	}
	return a
}

// spelled says what an agent has used so far, for people.
func spelled(s providers.Spent) string {
	text := fmt.Sprintf("%d tokens in, %d out", s.Usage.Input+s.Usage.CachedInput+s.Usage.CacheWrites, s.Usage.Output)
	if s.CostUSD != nil {
		text += fmt.Sprintf(", $%.4f", *s.CostUSD)
	}
	return text
}
