package cmd

import (
	"fmt"
	"strings"
	"time"

	"chant/cmd/console"
	"chant/engine/run/usage"
	"chant/text"
)

// usageText says in a line what agents have used.
func usageText(u usage.Spending) string {
	parts := []string{console.Plural(u.Agents, "agent")}
	if in := u.Input + u.CachedInput + u.CacheWrites; in+u.Output > 0 {
		parts = append(parts, fmt.Sprintf("%s tokens in (%s from a cache), %s out", text.Amount(in), text.Amount(u.CachedInput), text.Amount(u.Output)))
	}
	if u.Turns > 0 {
		parts = append(parts, console.Plural(u.Turns, "turn"))
	}
	if u.CostUSD != nil {
		parts = append(parts, fmt.Sprintf("$%.4f", *u.CostUSD))
	}
	if u.TokensUnknown > 0 {
		parts = append(parts, fmt.Sprintf("tokens of %s unknown", console.Plural(u.TokensUnknown, "agent")))
	}
	if u.CostUnknown > 0 {
		parts = append(parts, fmt.Sprintf("cost of %s unknown", console.Plural(u.CostUnknown, "agent")))
	}
	return strings.Join(append(parts, time.Duration(u.Seconds*float64(time.Second)).Round(time.Second/10).String()), ", ")
}
