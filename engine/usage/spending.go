package usage

import (
	"time"

	"chant/engine/journal"
	"chant/engine/spec"
)

// Spending is what agents have used, added up. Cost and tokens that no one has told are in
// no sum; of an agent whose tokens are known in part that part is, and it counts as unknown.
type Spending struct {
	Agents      int      `json:"agents"` // how many worked, those at work among them
	Input       int      `json:"tokens_in"`
	CachedInput int      `json:"tokens_cached"` // read from a cache
	CacheWrites int      `json:"tokens_cache_write"`
	Output      int      `json:"tokens_out"`
	Turns       int      `json:"turns"`
	CostUSD     *float64 `json:"cost_usd,omitempty"`       // US dollars; absent when no cost is known
	Unknown     int      `json:"cost_unknown,omitempty"`   // of how many agents the cost is not known
	Untold      int      `json:"tokens_unknown,omitempty"` // of how many agents the tokens are not known
	Seconds     float64  `json:"seconds"`
}

// UsageOf adds up the agents of a spec that were heard of at or after a time.
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

// spendingOf is what one agent has used.
func spendingOf(s journal.Session) Spending {
	u := Spending{Agents: 1, Seconds: s.Seconds}
	if s.Spent == nil || s.Spent.CostUSD == nil {
		u.Unknown = 1
	}
	if s.Spent == nil || s.Spent.Usage == nil {
		u.Untold = 1
	} else if s.Spent.Usage.Partial { // what is known of it counts for limits; the cost is the price of that
		u.Untold, u.Unknown = 1, 1
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

// Plus is the sum of two usages.
func (u Spending) Plus(v Spending) Spending {
	u.Agents, u.Turns, u.Unknown, u.Untold, u.Seconds = u.Agents+v.Agents, u.Turns+v.Turns, u.Unknown+v.Unknown, u.Untold+v.Untold, u.Seconds+v.Seconds
	u.Input, u.CachedInput, u.CacheWrites, u.Output = u.Input+v.Input, u.CachedInput+v.CachedInput, u.CacheWrites+v.CacheWrites, u.Output+v.Output
	switch {
	case u.CostUSD == nil:
		u.CostUSD = v.CostUSD
	case v.CostUSD != nil:
		sum := *u.CostUSD + *v.CostUSD
		u.CostUSD = &sum
	}
	return u
}

// Use is the usage as limits see it.
func (u Spending) Use() spec.Use {
	return spec.Use{Cost: u.CostUSD, Tokens: u.Input + u.CachedInput + u.CacheWrites + u.Output, Turns: u.Turns}
}

// Took is how long the agents were at work, those that have ended.
func (u Spending) Took() time.Duration { return time.Duration(u.Seconds * float64(time.Second)) }
