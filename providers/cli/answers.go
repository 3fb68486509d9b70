package cli

import "chant/providers"

// answers adds up the usage of the answers of a model, for CLIs that report each answer. An
// answer may be reported several times, with its usage so far.
type answers struct {
	named map[string]providers.Usage // by the name of the answer
	sum   providers.Usage            // of these and of those without a name
	known bool                       // whether any answer has reported tokens
	turns int
	cost  *float64
}

// maxNamed is how many names of answers are remembered. Later ones count as without a name.
const maxNamed = 100_000

// add records an answer; one without a name is a new one each time. An earlier report of its
// output counts if it was larger: the first reports are guesses. A nil usage is unknown and
// keeps the earlier report.
func (a *answers) add(id string, told *providers.Usage) {
	var u providers.Usage
	if told != nil {
		u, a.known = *told, true
	}
	if a.named == nil {
		a.named = map[string]providers.Usage{}
	}
	before, known := a.named[id]
	if !known {
		a.turns++
	}
	// The names are bounded, so an agent that makes up names cannot fill the memory.
	if id == "" || !known && len(a.named) >= maxNamed {
		a.sum = a.sum.Plus(u)
		return
	}
	if told == nil {
		u = before
	}
	// The first reports of an answer are guesses; the largest is the last.
	u.Output = max(u.Output, before.Output)
	a.set(id, before, u)
}

// set gives an answer another usage.
func (a *answers) set(id string, before, now providers.Usage) {
	a.named[id] = now
	a.sum = a.sum.Plus(now)
	// What an answer reported before is part of the sum and is taken out again.
	a.sum.Input, a.sum.CachedInput = a.sum.Input-before.Input, a.sum.CachedInput-before.CachedInput
	a.sum.CacheWrites, a.sum.Output = a.sum.CacheWrites-before.CacheWrites, a.sum.Output-before.Output
}

// addOutput records the output of an answer that was reported before.
func (a *answers) addOutput(id string, output int) {
	u, known := a.named[id]
	if known {
		before := u
		u.Output = max(u.Output, output)
		a.set(id, before, u)
	}
}

// addCost adds what an answer has cost, in US dollars.
func (a *answers) addCost(usd float64) {
	if a.cost != nil {
		usd += *a.cost
	}
	a.cost = &usd
}

// event returns the sum of all answers so far.
func (a *answers) event(model string) providers.Event {
	// Without any report, a sum of 0 would read as a session that was free.
	if !a.known {
		return spendingEvent(providers.Spent{CostUSD: a.cost, Turns: a.turns, Model: model})
	}
	usage := a.sum
	return spendingEvent(providers.Spent{Usage: &usage, CostUSD: a.cost, Turns: a.turns, Model: model})
}

// spendingEvent returns an event with the usage of a session.
func spendingEvent(s providers.Spent) providers.Event {
	return providers.Event{Kind: providers.Spending, Spent: &s}
}

// turns counts the answers of a model whose CLI does not: each begins with what follows
// the answer of a tool. Where tools of one answer run one after the other it counts too
// many, which matters to a limit of turns alone.
type turns struct {
	n    int
	open bool
}

// beginsAnswer is called for each text and each call; it reports whether an answer began with it.
func (t *turns) beginsAnswer() bool {
	if t.open {
		return false
	}
	t.n, t.open = t.n+1, true
	return true
}

// endAnswer is called when a tool has answered.
func (t *turns) endAnswer() { t.open = false }
