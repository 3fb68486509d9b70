package stats

import (
	"fmt"
	"strings"
	"time"

	"chant/text"
)

// Describe returns the figures in words.
func (s Stats) Describe() string { return strings.Join(s.Sentences(), " ") }

// Sentences returns the figures as three sentences: throughput, lead time and first attempts, and use.
func (s Stats) Sentences() []string {
	agents := "No agent has worked, as far as the journals of this machine show."
	if s.Total.Sessions > 0 {
		agents = count(s.Total.Sessions, "agent session") + ": " + s.Total.String() + "."
	}
	return []string{
		fmt.Sprintf("From %s to %s, %s landed.", s.Since.Format(time.DateOnly), s.Until.Format(time.DateOnly), count(s.Landed, "spec")),
		s.LeadTime.String() + "; " + s.FirstAttempt.String() + ".",
		agents,
	}
}

// String returns the lead time in words.
func (l LeadTime) String() string {
	if l.Median == nil {
		return "Lead time unknown"
	}
	return fmt.Sprintf("Lead time %s median, %s p90 (of %s)", seconds(*l.Median), seconds(*l.P90), count(l.Specs, "spec"))
}

// String returns the rate in words.
func (f FirstAttempt) String() string {
	if f.Rate == nil {
		return "first attempts unknown"
	}
	return fmt.Sprintf("%.0f %% completed by the first attempt (%d of %d)", *f.Rate*100, f.First, f.Specs)
}

// String returns cost and tokens in words.
func (u Use) String() string {
	cost := "cost unknown"
	if u.CostUSD != nil {
		cost = fmt.Sprintf("$%.2f", *u.CostUSD)
		if u.CostUnknown > 0 {
			cost += fmt.Sprintf(" (unknown for %d)", u.CostUnknown)
		}
	}
	tokens := "tokens unknown"
	if u.Tokens() > 0 || u.TokensUnknown < u.Sessions {
		tokens = text.Amount(u.Input+u.Cached+u.Written) + " tokens in, " + text.Amount(u.Output) + " out"
		if u.TokensUnknown > 0 {
			tokens += fmt.Sprintf(" (unknown for %d)", u.TokensUnknown)
		}
	}
	return cost + ", " + tokens + ", " + seconds(u.Seconds)
}

// Sentence returns what an agent has used in words.
func (a AgentUse) Sentence() string {
	name := a.Provider
	if name == "" {
		name = "unknown provider"
	}
	if a.Model != "" {
		name += " " + a.Model
	}
	return fmt.Sprintf("%s: %s on %s, %s", name, count(a.Sessions, "session"), count(a.Specs, "spec"), a.Use)
}

func seconds(s float64) string { return text.ShortSpan(time.Duration(s * float64(time.Second))) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
