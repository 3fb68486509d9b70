// Package price tells what the tokens of a model cost, by a table that the project
// keeps. It knows no price of its own: one that is out of date would be worse than
// none.
//
// # Rules
//
//   - A model without a rate has no cost. That is not the same as none.
//   - The rate that names most of a model counts.
//   - It is pure: the same table and usage give the same cost everywhere.
package price

import (
	"strings"

	"chant/providers"
)

// million is how many tokens a rate speaks of.
const million = 1_000_000

// Rate is what tokens cost, in US dollars a million.
type Rate struct {
	Input       float64
	CachedInput *float64 // read from a cache; nil: as Input
	CacheWrite  *float64 // written to one; nil: as Input
	Output      float64
}

// Table holds the rates of models by name. A * in a name stands for any text.
type Table map[string]Rate

// Cost is what the tokens of a model cost in US dollars; nil when the table has no rate
// for it.
func (t Table) Cost(model string, u providers.Usage) *float64 {
	rate, ok := t.rate(model)
	if !ok {
		return nil
	}
	cost := (float64(u.Input)*rate.Input + float64(u.CachedInput)*or(rate.CachedInput, rate.Input) +
		float64(u.CacheWrites)*or(rate.CacheWrite, rate.Input) + float64(u.Output)*rate.Output) / million
	return &cost
}

func or(rate *float64, usual float64) float64 {
	if rate == nil {
		return usual
	}
	return *rate
}

// rate finds the name that says most of the model: itself, else the one with the most
// letters, the first of equals by the alphabet.
func (t Table) rate(model string) (Rate, bool) {
	if rate, ok := t[model]; ok || model == "" {
		return rate, ok
	}
	best := ""
	for name := range t {
		if matches(name, model) && (len(name) > len(best) || len(name) == len(best) && name < best) {
			best = name
		}
	}
	rate, ok := t[best]
	return rate, ok && best != ""
}

// matches reports whether a name with stars covers a model.
func matches(name, model string) bool {
	parts := strings.Split(name, "*")
	if len(parts) == 1 {
		return name == model
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(model) < len(first)+len(last) || !strings.HasPrefix(model, first) || !strings.HasSuffix(model, last) {
		return false
	}
	middle := model[len(first) : len(model)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(middle, part)
		if !found {
			return false
		}
		middle = after
	}
	return true
}
