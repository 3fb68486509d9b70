package usage

import (
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/providers"
)

// TestSpending_partly: tokens that are known in part count for limits, and are reported as unknown.
func TestSpending_partly(t *testing.T) {
	t.Parallel()
	usd := 0.5
	session := func(partial bool) journal.Session {
		return journal.Session{Spent: &providers.Spent{Usage: &providers.Usage{Input: 80, Output: 20, Partial: partial}, CostUSD: &usd, Turns: 3}}
	}
	whole, part := spendingOf(session(false)), spendingOf(session(true))
	if whole.TokensUnknown != 0 || whole.CostUnknown != 0 {
		t.Errorf("known in full: %+v", whole)
	}
	if part.TokensUnknown != 1 || part.CostUnknown != 1 {
		t.Errorf("known in part: %+v", part)
	}
	if got := (spec.Limits{Tokens: 100}).LimitReached("spec", part.Use()); got != "token limit of the spec reached: 100 of 100" {
		t.Errorf("a limit of tokens: %q", got)
	}
	if got := (spec.Limits{Cost: 0.5}).LimitReached("spec", part.Use()); got == "" {
		t.Error("a limit of cost does not hold")
	}
	if sum := whole.Plus(part); sum.TokensUnknown != 1 || sum.Agents != 2 || sum.Input != 160 {
		t.Errorf("sum %+v", sum)
	}
}
