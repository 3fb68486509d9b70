package usage

import (
	"math"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
)

// Spending is the sum of what agents have used. It does not include cost and tokens that no agent
// reported. Of an agent whose tokens are known in part, it includes that part and counts as unknown.
type Spending struct {
	Agents        int      `json:"agents"` // how many worked, including those that still do
	Input         int      `json:"tokens_in"`
	CachedInput   int      `json:"tokens_cached"` // read from a cache
	CacheWrites   int      `json:"tokens_cache_write"`
	Output        int      `json:"tokens_out"`
	Turns         int      `json:"turns"`
	CostUSD       *float64 `json:"cost_usd,omitempty"`       // US dollars; absent when no cost is known
	CostUnknown   int      `json:"cost_unknown,omitempty"`   // of how many agents the cost is not known
	TokensUnknown int      `json:"tokens_unknown,omitempty"` // of how many agents the tokens are not known
	Seconds       float64  `json:"seconds"`
}

// UsageOf adds up what the agents of a spec used that reported something at or after a time.
func UsageOf(h *journal.History, since time.Time) Spending {
	var u Spending
	for _, a := range h.Attempts {
		for _, s := range a.Sessions {
			if !s.Told.Before(since) {
				u = u.Plus(spendingOf(s))
			}
		}
	}
	return u
}

// spendingOf returns what one agent has used.
func spendingOf(s journal.Session) Spending {
	u := Spending{Agents: 1, Seconds: s.Seconds}
	if s.Spent == nil || s.Spent.CostUSD == nil {
		u.CostUnknown = 1
	}
	if s.Spent == nil || s.Spent.Usage == nil {
		u.TokensUnknown = 1
		// The known part counts for limits, and the cost is its price.
	} else if s.Spent.Usage.Partial {
		u.TokensUnknown, u.CostUnknown = 1, 1
	}
	if s.Spent == nil {
		return u
	}
	u.Turns, u.CostUSD = s.Spent.Turns, s.Spent.CostUSD
	if t := s.Spent.Usage; t != nil {
		u.Input, u.CachedInput, u.CacheWrites, u.Output = t.Input, t.CachedInput, t.CacheWrites, t.Output
	}
	return u
}

// Plus returns the sum of two Spendings.
func (u Spending) Plus(v Spending) Spending {
	u.Agents, u.Turns, u.CostUnknown, u.TokensUnknown, u.Seconds = u.Agents+v.Agents, u.Turns+v.Turns, u.CostUnknown+v.CostUnknown, u.TokensUnknown+v.TokensUnknown, u.Seconds+v.Seconds
	u.Input, u.CachedInput, u.CacheWrites, u.Output = u.Input+v.Input, u.CachedInput+v.CachedInput, u.CacheWrites+v.CacheWrites, u.Output+v.Output
	switch {
	case u.CostUSD == nil:
		u.CostUSD = v.CostUSD
	case v.CostUSD != nil:
		sum := *u.CostUSD + *v.CostUSD
		// A new value: the pointers of both summands are shared with journals.
		u.CostUSD = &sum
	}
	return u
}

// Rounded returns the same with its cost as results show it.
func (u Spending) Rounded() Spending {
	u.CostUSD = RoundCost(u.CostUSD)
	return u
}

// RoundCost rounds an amount of money to hundredths of a cent: sums of prices of tokens have no more exact digits. nil stays
// nil.
func RoundCost(usd *float64) *float64 {
	if usd == nil {
		return nil
	}
	cost := math.Round(*usd*10_000) / 10_000
	return &cost
}

// Use returns the cost, tokens and turns with which limits are compared.
func (u Spending) Use() spec.Use {
	return spec.Use{Cost: u.CostUSD, Tokens: u.Input + u.CachedInput + u.CacheWrites + u.Output, Turns: u.Turns}
}

// Took returns how long the agents worked together.
func (u Spending) Took() time.Duration { return time.Duration(u.Seconds * float64(time.Second)) }
