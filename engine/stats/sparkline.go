package stats

import "strings"

// Sparkline returns a line of one block for each value, as high as the value is of the highest. Only zero has the lowest
// block.
func Sparkline(values []float64) string {
	blocks := []rune("▂▃▄▅▆▇█")
	most := 0.0
	for _, v := range values {
		most = max(most, v)
	}
	var b strings.Builder
	for _, v := range values {
		if v <= 0 {
			b.WriteRune('▁')
			continue
		}
		b.WriteRune(blocks[min(int(v/most*float64(len(blocks))), len(blocks)-1)])
	}
	return b.String()
}

// LandedByWeek lists how many specs landed in each week.
func (s Stats) LandedByWeek() []float64 {
	out := make([]float64, len(s.Weeks))
	for i, w := range s.Weeks {
		out[i] = float64(w.Landed)
	}
	return out
}

// CostByWeek lists what agents cost in each week, and reports whether any cost is known.
func (s Stats) CostByWeek() (costs []float64, known bool) {
	costs = make([]float64, len(s.Weeks))
	for i, w := range s.Weeks {
		if w.CostUSD != nil {
			costs[i], known = *w.CostUSD, true
		}
	}
	return costs, known
}
