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

func (a *answers) usage() providers.Usage { return a.done.Plus(a.open) }

// event tells of all answers so far.
func (a *answers) event(model string) providers.Event {
	return providers.Event{Kind: providers.Spending, Spent: &providers.Spent{Usage: a.usage(), CostUSD: a.cost, Turns: a.turns, Model: model}}
}
