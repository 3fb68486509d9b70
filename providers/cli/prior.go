package cli

import "chant/providers"

// prior is the usage that a resumed session reported before. At each end its CLI reports the
// sum of the whole session: claude the cost, codex and qwen tokens.
type prior struct {
	usage providers.Usage
	cost  float64
}

func priorCost(s *providers.Spent) prior {
	if s == nil || s.CostUSD == nil {
		return prior{}
	}
	return prior{cost: *s.CostUSD}
}

func priorUsage(s *providers.Spent) prior {
	if s == nil || s.Usage == nil {
		return prior{}
	}
	return prior{usage: *s.Usage}
}

// usageSince is the usage since then, nil if it is unknown.
func (p prior) usageSince(u *providers.Usage) *providers.Usage {
	if u == nil {
		return nil
	}
	return &providers.Usage{
		// Resumed sessions may count from 0 again, which must not make a usage negative.
		Input: max(0, u.Input-p.usage.Input), CachedInput: max(0, u.CachedInput-p.usage.CachedInput),
		CacheWrites: max(0, u.CacheWrites-p.usage.CacheWrites), Output: max(0, u.Output-p.usage.Output),
	}
}

// costSince returns the cost since then.
func (p prior) costSince(usd *float64) *float64 {
	if usd == nil {
		return nil
	}
	rest := max(0, *usd-p.cost)
	return &rest
}
