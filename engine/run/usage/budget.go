package usage

import (
	"fmt"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/launch"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/config"
	"chant/providers"
)

// Budget enforces the limits of runs: those of each spec, of this command and of the day.
// It may be used from several goroutines.
type Budget struct {
	p      *engine.Project
	ledger *ledger
	began  time.Time
	fleet  Fleet // nil: this machine works alone

	mu     sync.Mutex
	here   map[string]Spending // of the agents of this command, by spec and session
	warned map[string]bool
	known  elsewhere // of other machines, when it was last asked for
	day    time.Time // when the day of the fleet began, as far as it is known
}

// NewBudget returns the budget of one operation, and starts its time.
func NewBudget(p *engine.Project) *Budget {
	return &Budget{
		p: p, began: p.Now(), here: map[string]Spending{}, warned: map[string]bool{},
		ledger: &ledger{p: p, read: map[string]entry{}},
	}
}

// LimitReached returns the limit of the command or the day that was reached, so that no
// further agent may start; "" if none was.
func (b *Budget) LimitReached() (string, error) {
	since, err := b.midnight()
	if err != nil {
		return "", unknownElsewhere(err)
	}
	// The own use is read first, since others get it as the report of this clone.
	day, _, err := b.ledger.sumSince(since, "")
	if err != nil {
		return "", err
	}
	others, err := b.exchangeUsage(day)
	if err != nil {
		return "", unknownElsewhere(err)
	}
	return b.reachedLimit(day, others), nil
}

// reachedLimit returns the limit of the command or the day that was reached, with what others have used; "" if none was.
func (b *Budget) reachedLimit(day Spending, others elsewhere) string {
	c := b.p.Config.Limits
	day = day.Plus(others.day)
	if why := c.Day.LimitReached("day", day.Use(), day.Took()); why != "" {
		return why
	}
	return c.Run.LimitReached("run", b.Spent().Plus(others.run).Use(), b.p.Now().Sub(b.began))
}

// Spent returns what the agents of this command have used.
func (b *Budget) Spent() Spending {
	b.mu.Lock()
	defer b.mu.Unlock()
	var sum Spending
	for _, u := range b.here {
		sum = sum.Plus(u)
	}
	return sum
}

// timeLeft returns how long an agent may still work by the time limits of the command and the
// day, and the text for the one that ends first; no text means no such limit. The rest of the
// day is divided among all agents that work now, in other processes too.
func (b *Budget) timeLeft() (time.Duration, string) {
	c, left, why := b.p.Config.Limits, time.Duration(0), ""
	if limit := time.Duration(c.Run.Time); limit > 0 {
		took := b.p.Now().Sub(b.began)
		left, why = limit-took, c.Run.TimeLimitReached("run", took)
	}
	limit := time.Duration(c.Day.Time)
	if limit <= 0 {
		return left, why
	}
	// LimitReached, which is called just before, reports an error.
	day, working, err := b.ledger.sumSince(b.dayBegan(), "")
	if err != nil {
		return left, why
	}
	// This is asked several times a second while an agent works, so the fleet is not asked each time.
	others, isRecent := b.lastKnown()
	if !isRecent {
		// On an error it is what was known last.
		others, _ = b.exchangeUsage(day)
	}
	day = day.Plus(others.day)
	// All agents use up the same day, so each may have its share of the rest.
	if rest := (limit - day.Took()) / time.Duration(max(working, 1)); why == "" || rest < left {
		left, why = rest, c.Day.TimeLimitReached("day", day.Took())
	}
	return left, why
}

// CheckSpec refuses to work a spec if one of its limits, or of the command or the day, was reached.
func (b *Budget) CheckSpec(s *spec.Spec, h *journal.History) error {
	if why := SpecLimitReached(b.p, s, h); why != "" {
		return engine.Fail(engine.Blocked, next.Edit.On(s.ID), "spec %q: %s; its limits may say more", s.ID, why)
	}
	return b.checkShared()
}

// checkShared refuses to start an agent if a limit of the command or the day was reached.
func (b *Budget) checkShared() error {
	why, err := b.LimitReached()
	if err != nil || why == "" {
		return err
	}
	return engine.Fail(engine.Blocked, next.Status.On(), "%s", why)
}

// LimitRun makes a run keep to the limits of its spec, the command and the day. started is the
// spec as it was when its run began, so that its agent cannot change its limits.
func (b *Budget) LimitRun(r *run.Run, started *spec.Spec) {
	r.Launcher.TimeLeft, r.Launcher.Allow = b.timeLeft, b.limitFunc(started, r.Journal.History())
}

// WarnUnenforceable warns of limits that cannot be enforced because the agent does not report what it uses.
func (b *Budget) WarnUnenforceable(r *run.Run, started *spec.Spec) {
	l, c := LimitsFor(b.p, started), b.p.Config.Limits
	limited := l.Cost > 0 || l.Tokens > 0 || l.Turns > 0
	for _, shared := range []config.SumLimits{c.Run, c.Day} {
		limited = limited || shared.Cost > 0 || shared.Tokens > 0 || shared.Turns > 0
	}
	if p, ok := r.Launcher.Provider.(providers.UsageReporter); limited && ok && !p.ReportsUsage() {
		engine.Warn(b.p, r.Job.ID, fmt.Sprintf("%s does not report usage; cost, token and turn limits cannot be enforced", r.Job.Provider))
	}
}

// limitFunc returns the function that a run calls whenever its agent reports what it has used. It
// returns the limit that was reached, if any.
func (b *Budget) limitFunc(s *spec.Spec, h *journal.History) func(journal.Session, providers.Spent) launch.LimitMet {
	// Read once: the agent itself writes to this journal while it works, and its use is added below.
	before, today := UsageOf(h, time.Time{}), UsageOf(h, b.dayBegan())
	limits := LimitsFor(b.p, s)
	return func(session journal.Session, spent providers.Spent) launch.LimitMet {
		session.Spent = &spent
		now := spendingOf(session)
		// Several agents of this command report at once.
		b.mu.Lock()
		b.here[fmt.Sprintf("%s %s %d", s.ID, session.Began, session.Number)] = now
		b.mu.Unlock()
		b.warnUnpriced(s.ID, limits, spent)
		if why := limits.LimitReached("spec", before.Plus(now).Use()); why != "" {
			return launch.LimitMet{Why: why, OfSpec: true}
		}
		c := b.p.Config.Limits
		// Local sums first, since the fleet is asked over the network.
		if why := c.Run.LimitReached("run", b.Spent().Use(), 0); why != "" {
			return launch.LimitMet{Why: why}
		}
		// Without this spec, whose journal already has some of what its agent reports now.
		rest, _, err := b.ledger.sumSince(b.dayBegan(), s.ID)
		if err != nil {
			return stopForUnknownDay(err)
		}
		day := rest.Plus(today).Plus(now)
		// Without a connection, what was known last counts: no agent starts until there is one.
		others, _ := b.exchangeUsage(day)
		if why := c.Run.LimitReached("run", b.Spent().Plus(others.run).Use(), 0); why != "" {
			return launch.LimitMet{Why: why}
		}
		return launch.LimitMet{Why: c.Day.LimitReached("day", day.Plus(others.day).Use(), 0)}
	}
}

// unknownElsewhere returns the error that no agent starts because it is unknown what other machines have used.
func unknownElsewhere(err error) error {
	return engine.Fail(engine.Blocked, next.Status.On(), "no agent starts, because it is unknown what those of other machines have used: %s", err)
}

// stopForUnknownDay returns the reason to stop an agent if it is unknown what was used today.
func stopForUnknownDay(err error) launch.LimitMet {
	return launch.LimitMet{Why: "the limits of the day cannot be read: " + err.Error()}
}

// LimitQuestion makes the agent that answers a question about a spec keep to the limits. Those of
// the spec apply to the question alone, those of the command and the day to all agents together.
// Error: Blocked if one of the latter was reached before.
func (b *Budget) LimitQuestion(r *run.Run, s *spec.Spec) error {
	if err := b.checkShared(); err != nil {
		return err
	}
	limits := LimitsFor(b.p, s)
	r.Launcher.TimeLeft = b.timeLeft
	r.Launcher.Allow = func(session journal.Session, spent providers.Spent) launch.LimitMet {
		session.Spent = &spent
		now := spendingOf(session)
		b.mu.Lock()
		b.here[fmt.Sprintf("%s %d", journal.QuestionsName, session.Number)] = now
		b.mu.Unlock()
		b.warnUnpriced(s.ID, limits, spent)
		if why := limits.LimitReached("question", now.Use()); why != "" {
			return launch.LimitMet{Why: why, OfSpec: true}
		}
		// The journal contains what was reported before.
		day, _, err := b.ledger.sumSince(b.dayBegan(), "")
		if err != nil {
			return stopForUnknownDay(err)
		}
		others, _ := b.exchangeUsage(day)
		return launch.LimitMet{Why: b.reachedLimit(day, others)}
	}
	return nil
}

// warnUnpriced warns once of limits that cannot be enforced while an agent works, because it does
// not report its tokens yet, or because their price is unknown.
func (b *Budget) warnUnpriced(id string, l spec.Limits, spent providers.Spent) {
	c := b.p.Config.Limits
	paid := l.Cost > 0 || c.Run.Cost > 0 || c.Day.Cost > 0
	counted := paid || l.Tokens > 0 || c.Run.Tokens > 0 || c.Day.Tokens > 0
	why := ""
	switch {
	case spent.CostUSD != nil:
		return
	case spent.Usage == nil && counted:
		why = fmt.Sprintf("the agent reports what model %q uses at its end, or never; no limit of cost or tokens can stop it before", spent.Model)
	case spent.Usage != nil && paid:
		why = fmt.Sprintf("no limit of cost can be enforced for model %q: its agent does not report the cost while it works, and prices in the settings has no rate for it", spent.Model)
	default:
		return
	}
	// Looked up and set under one lock, so that two agents do not warn of the same.
	b.mu.Lock()
	warned := b.warned[why]
	b.warned[why] = true
	b.mu.Unlock()
	if !warned {
		engine.Warn(b.p, id, why)
	}
}

// LimitsFor returns the limits of a spec's runs: its own, else those of the settings.
func LimitsFor(p *engine.Project, s *spec.Spec) spec.Limits {
	c := p.Config.Limits
	usual := spec.Limits{Cost: c.Cost, Tokens: c.Tokens, Turns: c.Turns, Time: spec.Span(c.Time), Silence: spec.Span(c.Silence)}
	if s.Fields.Limits == nil {
		return usual
	}
	return s.Fields.Limits.WithDefaults(usual)
}

// SpecLimitReached returns the limit of a spec that its agents have used up, "" if none is.
func SpecLimitReached(p *engine.Project, s *spec.Spec, h *journal.History) string {
	return LimitsFor(p, s).LimitReached("spec", UsageOf(h, time.Time{}).Use())
}
