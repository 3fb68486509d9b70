package providers

import "math"

// maxTokens bounds a count that is believed: no session of any model comes near it.
const maxTokens = 1 << 50

// sanitize corrects the usage that a CLI reports, given its earlier reports: no count is
// negative, usage never decreases, and tokens that cost nothing
// are tokens whose cost is not known.
func (s *Spent) sanitize(before *Spent) *Spent {
	out := Spent{Turns: bounded(s.Turns), Model: s.Model, CostUSD: s.CostUSD, Usage: s.Usage}
	if u := s.Usage; u != nil {
		out.Usage = &Usage{bounded(u.Input), bounded(u.CachedInput), bounded(u.CacheWrites), bounded(u.Output), u.Partial}
	}
	// A cost of 0 for tokens is what CLIs report without prices of their own.
	if c := s.CostUSD; c != nil && (math.IsNaN(*c) || math.IsInf(*c, 0) || *c < 0 || *c == 0 && out.Usage != nil && out.Usage.Total() > 0) {
		out.CostUSD = nil
	}
	if before == nil {
		return &out
	}
	// Usage never decreases, so an earlier report bounds a later one from below.
	out.Turns = max(out.Turns, before.Turns)
	if out.Model == "" {
		out.Model = before.Model
	}
	out.Usage = larger(out.Usage, before.Usage)
	if b := before.CostUSD; b != nil && (out.CostUSD == nil || *out.CostUSD < *b) {
		out.CostUSD = b
	}
	return &out
}

func bounded(n int) int { return min(max(n, 0), maxTokens) }

// larger is the one of two usages that has more tokens; the later one of equals.
func larger(now, before *Usage) *Usage {
	if now == nil || before != nil && before.Total() > now.Total() {
		return before
	}
	return now
}
