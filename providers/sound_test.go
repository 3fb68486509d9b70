package providers

import (
	"math"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestSpent_sound(t *testing.T) {
	t.Parallel()
	usd := func(v float64) *float64 { return &v }
	for name, tt := range map[string]struct {
		before, now *Spent
		tokens      int
		cost        float64 // -1: not known
	}{
		"first":                 {nil, &Spent{Usage: &Usage{Input: 5, Output: 1}, CostUSD: usd(0.5)}, 6, 0.5},
		"negative":              {nil, &Spent{Usage: &Usage{Input: -5, Output: 1}, CostUSD: usd(-0.5)}, 1, -1},
		"no number":             {nil, &Spent{Usage: &Usage{Input: 1}, CostUSD: usd(math.NaN())}, 1, -1},
		"tokens for nothing":    {nil, &Spent{Usage: &Usage{Input: 1}, CostUSD: usd(0)}, 1, -1},
		"nothing for nothing":   {nil, &Spent{Usage: &Usage{}, CostUSD: usd(0)}, 0, 0},
		"beyond counting":       {nil, &Spent{Usage: &Usage{Input: math.MaxInt, Output: math.MaxInt}}, 2 * maxTokens, -1},
		"given back":            {&Spent{Usage: &Usage{Input: 9}, CostUSD: usd(2)}, &Spent{Usage: &Usage{}, CostUSD: usd(1)}, 9, 2},
		"no longer reported":    {&Spent{Usage: &Usage{Input: 9}, CostUSD: usd(2)}, &Spent{}, 9, 2},
		"more":                  {&Spent{Usage: &Usage{Input: 9}}, &Spent{Usage: &Usage{Input: 10}, CostUSD: usd(1)}, 10, 1},
		"moved into the cache":  {&Spent{Usage: &Usage{Input: 9}}, &Spent{Usage: &Usage{Input: 2, CachedInput: 7}}, 9, -1},
		"only turns, no tokens": {nil, &Spent{Turns: -3}, 0, -1},
	} {
		got := tt.now.sanitize(tt.before)
		tokens, cost := 0, -1.0
		if got.Usage != nil {
			tokens = got.Usage.Total()
		}
		if got.CostUSD != nil {
			cost = *got.CostUSD
		}
		assert.Equal(t, tt.tokens, tokens, "%s", name)
		assert.Equal(t, tt.cost, cost, "%s", name)
		assert.True(t, got.Turns >= 0, "%s: %d tokens for %v, want %d for %v", name, tokens, cost, tt.tokens, tt.cost)
	}
}

// TestSpent_partly: what is known in part stays so, in what is believed and in sums.
func TestSpent_partly(t *testing.T) {
	t.Parallel()
	part := &Spent{Usage: &Usage{Input: 5, Partial: true}}
	got := part.sanitize(&Spent{Usage: &Usage{Input: 4}})
	assert.True(t, got.Usage.Partial, "believed: %+v", got.Usage)
	if got := (&Spent{Usage: &Usage{Input: 1}}).Plus(part).Usage; *got != (Usage{Input: 6, Partial: true}) {
		t.Errorf("sum: %+v", got)
	}
}
