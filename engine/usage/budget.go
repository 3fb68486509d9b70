package usage

import (
	"fmt"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/config"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/run"
	"chant/engine/run/launch"
	"chant/engine/spec"
	"chant/providers"
)

// Budget holds runs to their limits: those of each spec, of this one command and of the
// day. It may be used from several goroutines.
type Budget struct {
	p      *engine.Project
	ledger *ledger
	began  time.Time

	mu     sync.Mutex
	here   map[string]Spending // of the agents of this command, by spec and session
	warned map[string]bool
}

// NewBudget begins to count what the agents of one operation use.
func NewBudget(p *engine.Project) *Budget {
	return &Budget{
		p: p, began: p.Now(), here: map[string]Spending{}, warned: map[string]bool{},
		ledger: &ledger{p: p, read: map[string]entry{}},
	}
}

// Over says why no further agent may start, "" when one may.
func (b *Budget) Over() (string, error) {
	day, _, err := b.ledger.today("")
	if err != nil {
		return "", err
	}
	c := b.p.Config.Limits
	if why := c.Day.Met("day", day.Use(), day.Took()); why != "" {
		return why, nil
	}
	return c.Run.Met("run", b.Spent().Use(), b.p.Now().Sub(b.began)), nil
}

// Spent is what the agents of this command have used.
func (b *Budget) Spent() Spending {
	b.mu.Lock()
	defer b.mu.Unlock()
	var sum Spending
	for _, u := range b.here {
		sum = sum.Plus(u)
	}
	return sum
}

// left is how long an agent may still work by the limits of time that it shares, and the
// one that was met when that is nothing; no word without such a limit. The rest of the day
// is shared among all who are at work now, in other processes too.
func (b *Budget) left() (time.Duration, string) {
	c, left, why := b.p.Config.Limits, time.Duration(0), ""
	if limit := time.Duration(c.Run.Time); limit > 0 {
		took := b.p.Now().Sub(b.began)
		left, why = limit-took, c.Run.Late("run", took)
	}
	limit := time.Duration(c.Day.Time)
	if limit <= 0 {
		return left, why
	}
	day, working, err := b.ledger.today("") // over, which was asked just before, tells of an error
	if err != nil {
		return left, why
	}
	if rest := (limit - day.Took()) / time.Duration(max(working, 1)); why == "" || rest < left {
		left, why = rest, c.Day.Late("day", day.Took())
	}
	return left, why
}

// Refuse says why a spec may not be worked any more, or nothing may.
func (b *Budget) Refuse(s *spec.Spec, h *journal.History) error {
	if why := LimitMet(b.p, s, h); why != "" {
		return engine.Fail(engine.Blocked, next.Edit.On(s.ID), "spec %q: %s; its limits may say more", s.ID, why)
	}
	return b.mayAsk()
}

// mayAsk says why no agent may begin, at work or with a question.
func (b *Budget) mayAsk() error {
	why, err := b.Over()
	if err != nil || why == "" {
		return err
	}
	return engine.Fail(engine.Blocked, next.Status.On(), "%s", why)
}

// Hold has a run keep to the limits of its spec and those that it shares. started is the
// spec as it was when its work began: what its agent has made of its limits does not count.
func (b *Budget) Hold(r *run.Run, started *spec.Spec) {
	r.Launcher.Left, r.Launcher.Allow = b.left, b.watch(started, r.History)
}

// WarnMute tells of limits that cannot hold since the agent tells nothing of what it uses.
func (b *Budget) WarnMute(r *run.Run, started *spec.Spec) {
	l, c := LimitsFor(b.p, started), b.p.Config.Limits
	bounded := l.Cost > 0 || l.Tokens > 0 || l.Turns > 0
	for _, shared := range []config.SumLimits{c.Run, c.Day} {
		bounded = bounded || shared.Cost > 0 || shared.Tokens > 0 || shared.Turns > 0
	}
	if p, ok := r.Launcher.Provider.(providers.Mute); bounded && ok && !p.TellsUsage() {
		engine.Warn(b.p, r.Job.ID, fmt.Sprintf("%s does not report usage; cost, token and turn limits cannot be enforced", r.Job.Provider))
	}
}

// watch returns what a run asks whenever its agent tells of what it has used.
func (b *Budget) watch(s *spec.Spec, h *journal.History) func(journal.Session, providers.Spent) launch.LimitMet {
	before, today := UsageOf(h, time.Time{}), UsageOf(h, Midnight(b.p.Now()))
	limits := LimitsFor(b.p, s)
	return func(session journal.Session, spent providers.Spent) launch.LimitMet {
		session.Spent = &spent
		now := spendingOf(session)
		b.mu.Lock()
		b.here[fmt.Sprintf("%s %s %d", s.ID, session.Began, session.Number)] = now
		b.mu.Unlock()
		b.warnUnpriced(s.ID, limits, spent)
		if why := limits.LimitReached("spec", before.Plus(now).Use()); why != "" {
			return launch.LimitMet{Why: why, OfSpec: true}
		}
		c := b.p.Config.Limits
		if why := c.Run.Met("run", b.Spent().Use(), 0); why != "" {
			return launch.LimitMet{Why: why}
		}
		others, _, err := b.ledger.today(s.ID)
		if err != nil {
			return unknownDay(err)
		}
		return launch.LimitMet{Why: c.Day.Met("day", others.Plus(today).Plus(now).Use(), 0)}
	}
}

// unknownDay stops an agent because it is unknown what was used on this day.
func unknownDay(err error) launch.LimitMet {
	return launch.LimitMet{Why: "the limits of the day cannot be read: " + err.Error()}
}

// Ask has a question about a spec keep to the limits: alone to those of the spec, with all
// else to those of the command and of the day. Error: Blocked when one was met before.
func (b *Budget) Ask(r *run.Run, s *spec.Spec) error {
	if err := b.mayAsk(); err != nil {
		return err
	}
	limits := LimitsFor(b.p, s)
	r.Launcher.Left = b.left
	r.Launcher.Allow = func(session journal.Session, spent providers.Spent) launch.LimitMet {
		session.Spent = &spent
		now := spendingOf(session)
		b.mu.Lock()
		b.here[fmt.Sprintf("%s %d", journal.Asked, session.Number)] = now
		b.mu.Unlock()
		b.warnUnpriced(s.ID, limits, spent)
		if why := limits.LimitReached("question", now.Use()); why != "" {
			return launch.LimitMet{Why: why, OfSpec: true}
		}
		why, err := b.Over() // what was told before stands in the journal
		if err != nil {
			return unknownDay(err)
		}
		return launch.LimitMet{Why: why}
	}
	return nil
}

// warnUnpriced tells once of limits that cannot hold while an agent works: it tells nothing
// of its tokens yet, or no one knows what they cost.
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
	b.mu.Lock()
	told := b.warned[why]
	b.warned[why] = true
	b.mu.Unlock()
	if !told {
		engine.Warn(b.p, id, why)
	}
}
