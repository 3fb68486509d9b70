package engine

import (
	"fmt"
	"sync"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/providers"
)

// budget holds runs to their limits: those of each spec, of this one command and of the
// day. It may be used from several goroutines.
type budget struct {
	engine *Engine
	ledger *ledger
	began  time.Time

	mu     sync.Mutex
	here   map[string]Spending // of the agents of this command, by spec and session
	warned map[string]bool
}

func (e *Engine) newBudget() *budget {
	return &budget{
		engine: e, began: e.Now(), here: map[string]Spending{}, warned: map[string]bool{},
		ledger: &ledger{engine: e, read: map[string]entry{}},
	}
}

// withBudget is the engine for an operation that has agents work.
func (e *Engine) withBudget() *Engine {
	own := *e
	own.budget = own.newBudget()
	return &own
}

// over says why no further agent may start, "" when one may.
func (b *budget) over() (string, error) {
	if b == nil {
		return "", nil
	}
	day, err := b.ledger.today("")
	if err != nil {
		return "", err
	}
	c := b.engine.config.Limits
	if why := c.Day.met("day", day.use(), day.took()); why != "" {
		return why, nil
	}
	return c.Run.met("run", b.spent().use(), b.engine.Now().Sub(b.began)), nil
}

// spent is what the agents of this command have used.
func (b *budget) spent() Spending {
	b.mu.Lock()
	defer b.mu.Unlock()
	var sum Spending
	for _, u := range b.here {
		sum = sum.plus(u)
	}
	return sum
}

// refuse says why a spec may not be worked any more, or nothing may.
func (b *budget) refuse(s *spec.Spec, h *run.History) error {
	if b == nil {
		return nil
	}
	if why := b.engine.limitsFor(s).Met("spec", usageOf(h, time.Time{}).use()); why != "" {
		return fail(Blocked, "chant edit "+s.ID, "spec %q: %s; its limits may say more", s.ID, why)
	}
	return b.mayAsk()
}

// mayAsk says why nobody may be asked a question, which is no spec's own work.
func (b *budget) mayAsk() error {
	why, err := b.over()
	if err != nil || why == "" {
		return err
	}
	return fail(Blocked, "chant status", "%s", why)
}

// watch returns what a run asks whenever its agent tells of what it has used.
func (b *budget) watch(s *spec.Spec, h *run.History) func(run.Session, providers.Spent) string {
	if b == nil {
		return nil
	}
	before, today := usageOf(h, time.Time{}), usageOf(h, midnight(b.engine.Now()))
	limits := b.engine.limitsFor(s)
	return func(session run.Session, spent providers.Spent) string {
		session.Spent = &spent
		now := spendingOf(session)
		b.mu.Lock()
		b.here[fmt.Sprintf("%s %s %d", s.ID, session.Began, session.Number)] = now
		b.mu.Unlock()
		b.warnUnpriced(s.ID, limits, spent)
		if why := limits.Met("spec", before.plus(now).use()); why != "" {
			return why
		}
		c := b.engine.config.Limits
		if why := c.Run.met("run", b.spent().use(), 0); why != "" {
			return why
		}
		others, err := b.ledger.today(s.ID)
		if err != nil {
			return "the limits of the day cannot be told: " + err.Error()
		}
		return c.Day.met("day", others.plus(today).plus(now).use(), 0)
	}
}

// warnUnpriced tells once of a limit that cannot hold since nobody knows the cost.
func (b *budget) warnUnpriced(id string, l spec.Limits, spent providers.Spent) {
	c := b.engine.config.Limits
	if spent.CostUSD != nil || spent.Usage == nil || l.Cost == 0 && c.Run.Cost == 0 && c.Day.Cost == 0 {
		return
	}
	b.mu.Lock()
	told := b.warned[spent.Model]
	b.warned[spent.Model] = true
	b.mu.Unlock()
	if !told {
		b.engine.warn(id, fmt.Sprintf("no limit of cost holds for model %q: its agent does not tell the cost, and prices in the settings has no rate for it", spent.Model))
	}
}
