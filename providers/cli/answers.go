package cli

import "chant/providers"

// answers adds up what the answers of a model have used, for CLIs that tell of each. An
// answer may be told of several times, with what it has used so far.
type answers struct {
	last  string // the answer that was told of last
	done  providers.Usage
	open  providers.Usage // of the last one
	turns int
	cost  *float64
}

// add takes in an answer; one without a name is a new one each time.
func (a *answers) add(id string, u providers.Usage) {
	if id == "" || id != a.last {
		a.done, a.last, a.turns = a.done.Plus(a.open), id, a.turns+1
	}
	a.open = u
}

// pay adds what an answer has cost, in US dollars.
func (a *answers) pay(usd float64) {
	if a.cost != nil {
		usd += *a.cost
	}
	a.cost = &usd
}

// event tells of all answers so far.
func (a *answers) event(model string) providers.Event {
	usage := a.done.Plus(a.open)
	return spending(providers.Spent{Usage: &usage, CostUSD: a.cost, Turns: a.turns, Model: model})
}

func spending(s providers.Spent) providers.Event {
	return providers.Event{Kind: providers.Spending, Spent: &s}
}

// turns counts the answers of a model whose CLI does not: each begins with what follows
// the answer of a tool. Where tools of one answer run one after the other it counts too
// many, which matters to a limit of turns alone.
type turns struct {
	n    int
	open bool
}

// said is called for each text and each call; it reports whether an answer began with it.
func (t *turns) said() bool {
	if t.open {
		return false
	}
	t.n, t.open = t.n+1, true
	return true
}

// answered is called when a tool has answered.
func (t *turns) answered() { t.open = false }
