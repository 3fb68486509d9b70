package launch

import (
	"cmp"
	"fmt"
	"time"

	"chant/engine/evidence/journal"
	"chant/providers"
	"chant/text"
)

// priced fills in the requested model, and the cost by the project's prices, if the CLI reports neither.
func (l *Launcher) priced(spent providers.Spent) providers.Spent {
	if spent.Model == "" {
		spent.Model = l.Job.Model
	}
	if spent.CostUSD == nil && spent.Usage != nil && l.Price != nil {
		spent.CostUSD = l.Price(spent.Model, *spent.Usage)
	}
	return spent
}

// LimitMet is a limit that an agent has met: its description, "" for none, and whether the spec sets it, so that an
// edit can raise it.
type LimitMet struct {
	Why    string
	OfSpec bool
}

// allow returns the limit at which the agent must stop, zero if it may continue.
func (l *Launcher) allow(spent providers.Spent) LimitMet {
	if l.Allow == nil {
		return LimitMet{}
	}
	return l.Allow(l.session, l.priced(spent))
}

// mostUnanswered is how long an agent asks the API of its model in vain. A server that was away for less is not noticed; for
// longer, chant waits by itself, where people see until when, and another agent of the pool may work meanwhile.
const mostUnanswered = 30 * time.Second

// limits returns the limits of an agent of the run, its own and those that all agents share.
func (l *Launcher) limits() providers.Limits {
	return providers.Limits{Timeout: l.Settings.Timeout, Silence: l.Settings.Silence, Answer: mostUnanswered, Spend: func(s providers.Spent) string { return l.allow(s).Why }, Left: l.Left}
}

// report returns what is kept of an agent that has ended.
func (l *Launcher) report(out providers.Outcome) *journal.AgentReport {
	spent := l.priced(providers.Spent{Usage: out.Usage, CostUSD: out.CostUSD, Model: out.Model})
	return &journal.AgentReport{
		OK: out.OK, Reason: text.Printable(out.Reason), Model: spent.Model, SessionID: cmp.Or(out.SessionID, l.session.ID), Text: out.Text,
		Usage: out.Usage, CostUSD: spent.CostUSD, Priced: out.CostUSD == nil && spent.CostUSD != nil, Turns: out.Turns,
		Denied: out.Denied, Overdrawn: out.Overdrawn, Refused: out.Refused, Seconds: out.Duration.Seconds(), ExitCode: out.Exit.Code,
	}
}

// describeUse describes what an agent has used so far.
func describeUse(s providers.Spent) string {
	text := fmt.Sprintf("turn %d", s.Turns)
	if u := s.Usage; u != nil {
		text += fmt.Sprintf(", %d tokens in, %d out", u.Total()-u.Output, u.Output)
	}
	if s.CostUSD != nil {
		text += fmt.Sprintf(", $%.4f", *s.CostUSD)
	}
	return text
}
