package config

import (
	"strings"

	"chant/providers"
)

// This file computes what the tokens of a model cost, from a table in the settings of the project. It has no prices
// of its own: an outdated price would be worse than none.
//
// Rules:
//
//   - The cost of a model without a rate is unknown, not zero.
//   - The rate whose name matches the model most exactly is used.
//   - It is pure: the same table and usage give the same cost everywhere.

// million is the number of tokens that a rate is the price of.
const million = 1_000_000

// PriceRate is what tokens cost, in US dollars a million.
type PriceRate struct {
	Input       float64
	CachedInput *float64 // read from a cache; nil = as Input
	CacheWrite  *float64 // written to a cache; nil = as Input
	Output      float64
}

// Prices has the rates of models by name. A * in a name matches any text.
type Prices map[string]PriceRate

// Cost returns what the tokens of a model cost in US dollars; nil if the table has no rate
// for it.
func (t Prices) Cost(model string, u providers.Usage) *float64 {
	rate, ok := t.rate(model)
	if !ok {
		return nil
	}
	cost := (float64(u.Input)*rate.Input + float64(u.CachedInput)*valueOr(rate.CachedInput, rate.Input) +
		float64(u.CacheWrites)*valueOr(rate.CacheWrite, rate.Input) + float64(u.Output)*rate.Output) / million
	return &cost
}

func valueOr(rate *float64, usual float64) float64 {
	if rate == nil {
		return usual
	}
	return *rate
}

// rate finds the rate of a model: that of its own name, otherwise that of the longest name that matches, and of several
// equally long ones the first in the alphabet.
func (t Prices) rate(model string) (PriceRate, bool) {
	if rate, ok := t[model]; ok || model == "" {
		return rate, ok
	}
	best := ""
	for name := range t {
		// The order of a Go map changes, so ties are decided by the name.
		if matches(name, model) && (len(name) > len(best) || len(name) == len(best) && name < best) {
			best = name
		}
	}
	rate, ok := t[best]
	return rate, ok && best != ""
}

// matches reports whether a name with stars matches a model.
func matches(name, model string) bool {
	parts := strings.Split(name, "*")
	if len(parts) == 1 {
		return name == model
	}
	first, last := parts[0], parts[len(parts)-1]
	// The beginning and the end must not overlap in the model.
	if len(model) < len(first)+len(last) || !strings.HasPrefix(model, first) || !strings.HasSuffix(model, last) {
		return false
	}
	middle := model[len(first) : len(model)-len(last)]
	// Taking the first match of each part leaves the most for those behind it.
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(middle, part)
		if !found {
			return false
		}
		middle = after
	}
	return true
}
