package cmd

import (
	"fmt"
	"strings"
	"time"

	"chant/engine/usage"
)

// usageText says in a line what agents have used.
func usageText(u usage.Spending) string {
	parts := []string{plural(u.Agents, "agent")}
	if in := u.Input + u.CachedInput + u.CacheWrites; in+u.Output > 0 {
		parts = append(parts, fmt.Sprintf("%s tokens in (%s from a cache), %s out", thousands(in), thousands(u.CachedInput), thousands(u.Output)))
	}
	if u.Turns > 0 {
		parts = append(parts, plural(u.Turns, "turn"))
	}
	if u.CostUSD != nil {
		parts = append(parts, fmt.Sprintf("$%.4f", *u.CostUSD))
	}
	if u.Untold > 0 {
		parts = append(parts, fmt.Sprintf("tokens of %s unknown", plural(u.Untold, "agent")))
	}
	if u.Unknown > 0 {
		parts = append(parts, fmt.Sprintf("cost of %s unknown", plural(u.Unknown, "agent")))
	}
	return strings.Join(append(parts, time.Duration(u.Seconds*float64(time.Second)).Round(time.Second/10).String()), ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// thousands writes a number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
