package config

import (
	"math"
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

func dollars(v float64) *float64 { return &v }

// TestCost compares with sums that were calculated by hand.
func TestCost(t *testing.T) {
	t.Parallel()
	table := Prices{
		"sonnet":      {Input: 3, CachedInput: dollars(0.30), CacheWrite: dollars(3.75), Output: 15},
		"gpt-*":       {Input: 1.25, CachedInput: dollars(0.125), Output: 10},
		"gpt-5-mini*": {Input: 0.25, Output: 2},
		"free":        {},
		"*/qwen*:*b":  {Input: 1},
	}
	u := providers.Usage{Input: 12_345, CachedInput: 200_000, CacheWrites: 8_000, Output: 3_210}
	for model, want := range map[string]float64{
		// 12,345 x 3 = 37,035; 200,000 x 0.30 = 60,000; 8,000 x 3.75 = 30,000; 3,210 x 15 = 48,150: 175,185 a million
		"sonnet": 0.175185,
		// 12,345 x 1.25 = 15,431.25; 200,000 x 0.125 = 25,000; 8,000 x 1.25 = 10,000; 3,210 x 10 = 32,100: 82,531.25 a
		// million
		"gpt-5": 0.08253125,
		// (12,345 + 200,000 + 8,000) x 0.25 = 55,086.25; 3,210 x 2 = 6,420: 61,506.25 a million
		"gpt-5-mini-2026":   0.06150625,
		"free":              0,
		"local/qwen3:8b":    0.220345,
		"ollama/x/qwen2:1b": 0.220345,
	} {
		got := table.Cost(model, u)
		assert.NotZero(t, got, "%s: %v", model, want)
		assert.False(t, math.Abs(*got-want) > 1e-12, "%s: %v, want %v", model, got, want)
	}
	for _, model := range []string{"", "sonnet-4", "gp", "qwen:8b", "local/qwen3:8bx"} {
		if got := table.Cost(model, u); got != nil {
			t.Errorf("%q: %v, want no cost", model, *got)
		}
	}
}
