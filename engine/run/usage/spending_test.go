package usage

import (
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// TestSpending_partly: tokens that are known in part count for limits, and are reported as unknown.
func TestSpending_partly(t *testing.T) {
	t.Parallel()
	usd := 0.5
	session := func(partial bool) journal.Session {
		return journal.Session{Spent: &providers.Spent{Usage: &providers.Usage{Input: 80, Output: 20, Partial: partial}, CostUSD: &usd, Turns: 3}}
	}
	whole, part := spendingOf(session(false)), spendingOf(session(true))
	assert.Equal(t, 0, whole.TokensUnknown, "known in full")
	assert.Equal(t, 0, whole.CostUnknown, "known in full")
	assert.Equal(t, 1, part.TokensUnknown, "known in part")
	assert.Equal(t, 1, part.CostUnknown, "known in part")
	assert.Equal(t, "token limit of the spec reached: 100 of 100", (spec.Limits{Tokens: 100}).LimitReached("spec", part.Use()), "a limit of tokens")
	assert.NotEqual(t, "", (spec.Limits{Cost: 0.5}).LimitReached("spec", part.Use()), "a limit of cost does not hold")
	sum := whole.Plus(part)
	assert.Equal(t, 1, sum.TokensUnknown)
	assert.Equal(t, 2, sum.Agents)
	assert.Equal(t, 160, sum.Input)
}
