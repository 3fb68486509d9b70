package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/engine/view/picture"
)

// Stats are the figures of a period.
type Stats struct {
	Since        time.Time    `json:"since"`
	Until        time.Time    `json:"until"`
	Landed       int          `json:"landed"` // specs
	Weeks        []Week       `json:"weeks"`  // all of the period, also without specs
	LeadTime     LeadTime     `json:"lead_time"`
	FirstAttempt FirstAttempt `json:"first_attempt"`
	Total        Use          `json:"total"`
	Agents       []AgentUse   `json:"agents"` // by provider and model, those that cost most first
	Flaky        []Flaky      `json:"flaky"`  // the flakiest first
}

// Week is what happened in seven days.
type Week struct {
	Begins  string   `json:"begins"` // its Monday
	Landed  int      `json:"landed"` // specs
	CostUSD *float64 `json:"cost_usd,omitempty"`
	Tokens  int      `json:"tokens"`
}

// LeadTime is how long it takes from the first commit of a spec until it is completed, in seconds.
type LeadTime struct {
	Specs  int      `json:"specs"` // of how many this is
	Median *float64 `json:"median_seconds,omitempty"`
	P90    *float64 `json:"p90_seconds,omitempty"`
}

// FirstAttempt is how many specs were completed by their first attempt.
type FirstAttempt struct {
	Specs int      `json:"specs"` // of how many this is known
	First int      `json:"first"`
	Rate  *float64 `json:"rate,omitempty"`
}

// mostWeeks is how many weeks are listed: the last ones.
const mostWeeks = 520

// Compute returns the figures of a period.
func Compute(f Facts, p Period) Stats {
	p.Since = firstTime(f, p)
	out := Stats{Since: p.Since, Until: p.Until, Weeks: weeksOf(p), Agents: []AgentUse{}, Flaky: []Flaky{}}
	var leads []float64
	tries := map[string]int{}
	for _, j := range f.Journals {
		tries[j.ID] = j.Tries
	}
	for _, s := range f.Specs {
		if !p.has(s.Landed) {
			continue
		}
		out.Landed++
		if w := out.week(s.Landed); w != nil {
			w.Landed++
		}
		if !s.Created.IsZero() && !s.Landed.Before(s.Created) {
			leads = append(leads, s.Landed.Sub(s.Created).Seconds())
		}
		if n := tries[s.ID]; n > 0 {
			out.FirstAttempt.Specs++
			if n == 1 {
				out.FirstAttempt.First++
			}
		}
	}
	if n := out.FirstAttempt.Specs; n > 0 {
		rate := float64(out.FirstAttempt.First) / float64(n)
		out.FirstAttempt.Rate = &rate
	}
	out.LeadTime = LeadTime{len(leads), percentile(leads, 50), percentile(leads, 90)}
	out.addUse(f.Journals, p)
	out.Flaky = flakyOf(f.Journals, p)
	return out
}

// firstTime returns the beginning of a period: of one without a beginning, the earliest time in the facts.
func firstTime(f Facts, p Period) time.Time {
	if !p.Since.IsZero() {
		return p.Since
	}
	first := p.Until
	earlier := func(t time.Time) {
		if !t.IsZero() && t.Before(first) {
			first = t
		}
	}
	for _, s := range f.Specs {
		earlier(s.Landed)
	}
	for _, j := range f.Journals {
		for _, s := range j.Sessions {
			earlier(time.Unix(s.At, 0))
		}
	}
	return first.In(p.Until.Location())
}

// weeksOf lists the weeks of a period.
func weeksOf(p Period) []Week {
	first := monday(p.Since.In(p.Until.Location()))
	if earliest := monday(p.Until).AddDate(0, 0, -7*(mostWeeks-1)); first.Before(earliest) {
		first = earliest
	}
	weeks := []Week{}
	for at := first; !at.After(p.Until); at = at.AddDate(0, 0, 7) {
		weeks = append(weeks, Week{Begins: at.Format(time.DateOnly)})
	}
	return weeks
}

// monday returns when the week of a time began.
func monday(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d-(int(t.Weekday())+6)%7, 0, 0, 0, 0, t.Location())
}

// week returns the week of a time, nil if it is not listed.
func (s *Stats) week(t time.Time) *Week {
	name := monday(t.In(s.Until.Location())).Format(time.DateOnly)
	at, found := slices.BinarySearchFunc(s.Weeks, name, func(w Week, name string) int { return cmp.Compare(w.Begins, name) })
	if !found {
		return nil
	}
	return &s.Weeks[at]
}

// percentile returns the smallest of the values that at least so many percent of them do not exceed; nil without values.
func percentile(values []float64, percent float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(percent / 100 * float64(len(sorted))))
	return &sorted[max(rank, 1)-1]
}

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

// The measures of a picture in pixels.
const (
	width       = 720.0
	left, right = 56.0, 16.0
	chartHeight = 150.0
	headHeight  = 108.0
	lineHeight  = 20.0
	mostAgents  = 12 // lines
)

// SVG draws the figures: specs and cost by week, and a line for each provider and model. name begins the ids in it.
func (s Stats) SVG(name, title string) []byte {
	charts := []picture.Chart{{
		Title: "Specs landed by week", Whole: true, Text: func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) },
		Series: []picture.Series{{Values: s.LandedByWeek(), Class: picture.Value}},
	}}
	if costs, known := s.CostByWeek(); known {
		charts = append(charts, picture.Chart{
			Title: "Cost of agents by week", Text: func(v float64) string { return fmt.Sprintf("$%.2f", v) },
			Series: []picture.Series{{Values: costs, Class: picture.Other}},
		})
	}
	agents := s.Agents[:min(len(s.Agents), mostAgents)]
	height := headHeight + float64(len(charts))*(chartHeight+64) + 16
	if len(agents) > 0 {
		height += float64(len(agents)+1)*lineHeight + 8
	}
	p := picture.New(picture.Options{Name: name, Title: title, Description: s.Describe(), Width: width, Height: height})
	p.Text(picture.Label{X: 16, Y: 30, Text: title, Size: 16, Bold: true}, picture.Ink)
	for i, line := range s.Sentences() {
		p.Text(picture.Label{X: 16, Y: 52 + float64(i)*17, Text: line}, picture.Faint)
	}
	top := headHeight + 8
	for _, c := range charts {
		c.Bars, c.Of = true, "Week of "
		for _, week := range s.Weeks {
			c.Labels = append(c.Labels, week.Begins)
		}
		p.Chart(c, picture.Box{X: left, Y: top + 16, Width: width - left - right, Height: chartHeight})
		top += chartHeight + 64
	}
	for i, a := range agents {
		if i == 0 {
			p.Text(picture.Label{X: 16, Y: top, Text: "Agents", Bold: true}, picture.Ink)
		}
		p.Text(picture.Label{X: 16, Y: top + float64(i+1)*lineHeight, Text: a.Sentence()}, picture.Ink)
	}
	return p.Bytes()
}
