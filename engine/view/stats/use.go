package stats

import (
	"cmp"
	"slices"
	"time"
)

// Use is what agents have used. It does not include cost and tokens that no agent reported.
type Use struct {
	Sessions      int      `json:"sessions"`
	Specs         int      `json:"specs"` // on which they worked
	Input         int      `json:"tokens_in"`
	Cached        int      `json:"tokens_cached"`
	Written       int      `json:"tokens_cache_write"`
	Output        int      `json:"tokens_out"`
	Seconds       float64  `json:"seconds"`
	CostUSD       *float64 `json:"cost_usd,omitempty"` // absent when no cost is known
	CostUnknown   int      `json:"cost_unknown,omitempty"`
	TokensUnknown int      `json:"tokens_unknown,omitempty"`
}

// AgentUse is what the sessions of a provider with a model have used.
type AgentUse struct {
	Provider string `json:"provider"`
	Model    string `json:"model,omitempty"`
	Use
}

// Tokens is the number of all tokens.
func (u Use) Tokens() int { return u.Input + u.Cached + u.Written + u.Output }

// add adds one session.
func (u *Use) add(s Session) {
	u.Sessions++
	u.Input, u.Cached, u.Written, u.Output = u.Input+s.Input, u.Cached+s.Cached, u.Written+s.Written, u.Output+s.Output
	u.Seconds += s.Seconds
	if s.TokensUnknown {
		u.TokensUnknown++
	}
	if s.CostUnknown {
		u.CostUnknown++
	}
	if !s.CostUnknown || s.CostUSD != 0 {
		addCost(&u.CostUSD, s.CostUSD)
	}
}

func addCost(to **float64, cost float64) {
	if *to != nil {
		cost += **to
	}
	*to = &cost
}

// addUse adds what the sessions of a period have used, in all, by week, and by provider and model.
func (s *Stats) addUse(journals []Journal, p Period) {
	type agent struct{ provider, model string }
	by := map[agent]*AgentUse{}
	for _, j := range journals {
		worked := map[agent]bool{}
		for _, one := range j.Sessions {
			if !p.hasUnix(one.At) {
				continue
			}
			who := agent{one.Provider, one.Model}
			use := by[who]
			if use == nil {
				use = &AgentUse{Provider: one.Provider, Model: one.Model}
				by[who] = use
			}
			use.add(one)
			s.Total.add(one)
			if !worked[who] {
				use.Specs++
			}
			worked[who] = true
			if w := s.week(time.Unix(one.At, 0)); w != nil {
				w.Tokens += one.Input + one.Cached + one.Written + one.Output
				if !one.CostUnknown || one.CostUSD != 0 {
					addCost(&w.CostUSD, one.CostUSD)
				}
			}
		}
		if len(worked) > 0 {
			s.Total.Specs++
		}
	}
	for _, use := range by {
		s.Agents = append(s.Agents, *use)
	}
	slices.SortFunc(s.Agents, func(a, b AgentUse) int {
		return cmp.Or(cmp.Compare(costOf(b.CostUSD), costOf(a.CostUSD)), cmp.Compare(b.Tokens(), a.Tokens()), cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Model, b.Model))
	})
}

func costOf(cost *float64) float64 {
	if cost == nil {
		return -1
	}
	return *cost
}
