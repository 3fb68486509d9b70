package overview

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/engine/run/usage"
	"chant/engine/view/picture"
	"chant/text"
)

// Statistics computes figures about the work of a project: throughput, lead time, how often the first attempt is
// enough, what agents have used, and which criteria are flaky.
//
// Rules:
//
//   - It is pure: what it computes depends on Facts and a Period only.
//   - What is not known is left out of a figure, and each figure says of how many it is. No number means "unknown".
//   - A percentile is the smallest value that at least so many of all values do not exceed (nearest rank). Nothing is
//     interpolated: every duration is that of some spec.
//   - Weeks begin on Monday, in the time zone of the period.
//
// Decisions:
//
// 2026-11-26: a spec counts in the week in which it was completed, if it has landed. Rejected: the time of the landing,
// which is minutes later and is not recorded where people land work themselves.
//
// 2026-11-26: containers do not count, because their members do. Rejected: counting both, which would reward dividing
// work.
//
// 2026-11-26: a change of a criterion from failed to passed between attempts is counted, but apart from changes on the
// same tree and from passed to failed. Rejected: leaving it out, since a criterion that fails now and then looks the same;
// and ranking all alike, since it is what a second attempt is for.

// Statistics are the figures of a period.
type Statistics struct {
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

// maxWeeks is how many weeks are listed: the last ones.
const maxWeeks = 520

// Compute returns the figures of a period.
func Compute(f Facts, p Period) Statistics {
	p.Since = firstTime(f, p)
	out := Statistics{Since: p.Since, Until: p.Until, Weeks: weeksOf(p), Agents: []AgentUse{}, Flaky: []Flaky{}}
	var leads []float64
	tries := map[string]int{}
	for _, j := range f.Journals {
		tries[j.ID] = j.Tries
	}
	for _, s := range f.Specs {
		if !p.contains(s.Landed) {
			continue
		}
		out.Landed++
		if w := out.week(s.Landed); w != nil {
			w.Landed++
		}
		// An imported spec may have been completed before its first commit.
		if !s.Created.IsZero() && !s.Landed.Before(s.Created) {
			leads = append(leads, s.Landed.Sub(s.Created).Seconds())
		}
		// Only journals of this machine say which attempt it was.
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
	// A single wrong time in the facts could lie centuries ago.
	if earliest := monday(p.Until).AddDate(0, 0, -7*(maxWeeks-1)); first.Before(earliest) {
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
	// By calendar days, because a week with a change of the clock has not 168 hours.
	return time.Date(y, m, d-(int(t.Weekday())+6)%7, 0, 0, 0, 0, t.Location())
}

// week returns the week of a time, nil if it is not listed.
func (s *Statistics) week(t time.Time) *Week {
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
		// Only zero has the lowest block, so that one spec in a busy year can be seen.
		if v <= 0 {
			b.WriteRune('▁')
			continue
		}
		b.WriteRune(blocks[min(int(v/most*float64(len(blocks))), len(blocks)-1)])
	}
	return b.String()
}

// LandedByWeek lists how many specs landed in each week.
func (s Statistics) LandedByWeek() []float64 {
	out := make([]float64, len(s.Weeks))
	for i, w := range s.Weeks {
		out[i] = float64(w.Landed)
	}
	return out
}

// CostByWeek lists what agents cost in each week, and reports whether any cost is known.
func (s Statistics) CostByWeek() (costs []float64, known bool) {
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
	maxAgents   = 12 // lines
)

// SVG draws the figures: specs and cost by week, and a line for each provider and model. name begins the ids in it.
func (s Statistics) SVG(name, title string) []byte {
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
	agents := s.Agents[:min(len(s.Agents), maxAgents)]
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

// Facts are the data from which figures are computed.
type Facts struct {
	Specs    []Spec
	Journals []Journal
}

// Spec is what is known of one spec that has landed.
type Spec struct {
	ID      string
	Created time.Time // zero if unknown
	Landed  time.Time // when it was completed
}

// Journal is what one machine has recorded of the runs of a spec.
type Journal struct {
	ID       string
	Tries    int // the number of the attempt that first completed it, from 1; 0 if none did
	Sessions []Session
	Outcomes []Outcome // in the order of time
}

// Session is one agent that worked.
type Session struct {
	Provider      string
	Model         string // "" if unknown
	At            int64  // when it last reported something, in seconds since 1970
	Input         int    // tokens
	Cached        int    // tokens read from a cache
	Written       int    // tokens written to a cache
	Output        int    // tokens
	Seconds       float64
	CostUSD       float64
	CostUnknown   bool // of a part or all
	TokensUnknown bool // likewise
}

// Outcome is the result of one check of one criterion.
type Outcome struct {
	Criterion string
	At        int64 // in seconds since 1970
	Attempt   int
	Tree      string // "" if unknown
	Holds     bool
	Retried   bool // it passed after it had failed in the same check
}

// Period is a range of time up to Until.
type Period struct {
	Since time.Time // zero for the beginning of what is known
	Until time.Time
}

func (p Period) contains(t time.Time) bool {
	return !t.IsZero() && !t.Before(p.Since) && !t.After(p.Until)
}

func (p Period) hasUnix(seconds int64) bool { return p.contains(time.Unix(seconds, 0)) }

// Flaky is a criterion whose outcome has changed.
type Flaky struct {
	Spec      string `json:"spec"`
	Criterion string `json:"criterion"`
	Checks    int    `json:"checks"`    // how often it was checked
	Failed    int    `json:"failed"`    // how many of these failed
	SameTree  int    `json:"same_tree"` // changes on the same tree: it depends on something else
	Broke     int    `json:"broke"`     // changes from passed to failed between attempts
	Fixed     int    `json:"fixed"`     // changes from failed to passed between attempts
}

// flakyOf lists the criteria whose outcome changed in a period, the flakiest first.
func flakyOf(journals []Journal, p Period) []Flaky {
	out := []Flaky{}
	for _, j := range journals {
		by := map[string][]Outcome{}
		for _, o := range j.Outcomes {
			if p.hasUnix(o.At) {
				by[o.Criterion] = append(by[o.Criterion], o)
			}
		}
		for criterion, list := range by {
			one := Flaky{Spec: j.ID, Criterion: criterion}
			one.count(list)
			if one.SameTree+one.Broke+one.Fixed > 0 {
				out = append(out, one)
			}
		}
	}
	slices.SortFunc(out, func(a, b Flaky) int {
		return cmp.Or(
			cmp.Compare(b.SameTree, a.SameTree), cmp.Compare(b.Broke, a.Broke), cmp.Compare(b.Fixed, a.Fixed),
			cmp.Compare(a.Spec, b.Spec), cmp.Compare(a.Criterion, b.Criterion),
		)
	})
	return out
}

// count adds the outcomes of one criterion, in the order of time.
func (f *Flaky) count(list []Outcome) {
	onTree := map[string]bool{}
	for i, o := range list {
		f.Checks++
		if !o.Holds {
			f.Failed++
		}
		if o.Retried {
			f.SameTree++
		}
		last, known := onTree[o.Tree]
		// The same tree with another outcome: the criterion depends on something else.
		if known && o.Tree != "" && last != o.Holds {
			f.SameTree++
		} else if i > 0 && list[i-1].Attempt != o.Attempt && list[i-1].Holds != o.Holds {
			if o.Holds {
				f.Fixed++
			} else {
				f.Broke++
			}
		}
		onTree[o.Tree] = o.Holds
	}
}

// Use is the usage of agents. It does not include cost and tokens that no agent reported.
type Use struct {
	Sessions      int      `json:"sessions"`
	Specs         int      `json:"specs"` // on which they worked
	Input         int      `json:"tokens_in"`
	Cached        int      `json:"tokens_cached"`
	Written       int      `json:"tokens_cache_write"`
	Output        int      `json:"tokens_out"`
	Seconds       float64  `json:"seconds"`
	CostUSD       *float64 `json:"cost_usd,omitempty"` // absent when no cost is known
	CostUnknown   int      `json:"cost_unknown,omitempty"`
	TokensUnknown int      `json:"tokens_unknown,omitempty"`
}

// AgentUse is the usage by sessions of a provider with a model.
type AgentUse struct {
	Provider string `json:"provider"`
	Model    string `json:"model,omitempty"`
	Use
}

// Tokens is the number of all tokens.
func (u Use) Tokens() int { return u.Input + u.Cached + u.Written + u.Output }

// add adds one session.
func (u *Use) add(s Session) {
	u.Sessions++
	u.Input, u.Cached, u.Written, u.Output = u.Input+s.Input, u.Cached+s.Cached, u.Written+s.Written, u.Output+s.Output
	u.Seconds += s.Seconds
	if s.TokensUnknown {
		u.TokensUnknown++
	}
	if s.CostUnknown {
		u.CostUnknown++
	}
	// A part of the cost may be known.
	if !s.CostUnknown || s.CostUSD != 0 {
		addCost(&u.CostUSD, s.CostUSD)
	}
}

func addCost(to **float64, cost float64) {
	if *to != nil {
		cost += **to
	}
	*to = &cost
}

// addUse adds what the sessions of a period have used, in all, by week, and by provider and model.
func (s *Statistics) addUse(journals []Journal, p Period) {
	type agent struct{ provider, model string }
	by := map[agent]*AgentUse{}
	for _, j := range journals {
		worked := map[agent]bool{}
		for _, one := range j.Sessions {
			if !p.hasUnix(one.At) {
				continue
			}
			who := agent{one.Provider, one.Model}
			use := by[who]
			if use == nil {
				use = &AgentUse{Provider: one.Provider, Model: one.Model}
				by[who] = use
			}
			use.add(one)
			s.Total.add(one)
			// Several sessions on one spec count it once.
			if !worked[who] {
				use.Specs++
			}
			worked[who] = true
			if w := s.week(time.Unix(one.At, 0)); w != nil {
				w.Tokens += one.Input + one.Cached + one.Written + one.Output
				if !one.CostUnknown || one.CostUSD != 0 {
					addCost(&w.CostUSD, one.CostUSD)
				}
			}
		}
		if len(worked) > 0 {
			s.Total.Specs++
		}
	}
	for _, use := range by {
		use.CostUSD = usage.RoundCost(use.CostUSD)
		s.Agents = append(s.Agents, *use)
	}
	// Only at the end, since each rounding loses something.
	s.Total.CostUSD = usage.RoundCost(s.Total.CostUSD)
	for i := range s.Weeks {
		s.Weeks[i].CostUSD = usage.RoundCost(s.Weeks[i].CostUSD)
	}
	slices.SortFunc(s.Agents, func(a, b AgentUse) int {
		return cmp.Or(cmp.Compare(costOf(b.CostUSD), costOf(a.CostUSD)), cmp.Compare(b.Tokens(), a.Tokens()), cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Model, b.Model))
	})
}

func costOf(cost *float64) float64 {
	if cost == nil {
		// An unknown cost comes behind all known ones.
		return -1
	}
	return *cost
}

// Describe returns the figures in words.
func (s Statistics) Describe() string { return strings.Join(s.Sentences(), " ") }

// Sentences returns the figures as three sentences: throughput, lead time and first attempts, and use.
func (s Statistics) Sentences() []string {
	agents := "No agent has worked, as far as the journals of this machine show."
	if s.Total.Sessions > 0 {
		agents = countText(s.Total.Sessions, "agent session") + ": " + s.Total.String() + "."
	}
	return []string{
		fmt.Sprintf("From %s to %s, %s landed.", s.Since.Format(time.DateOnly), s.Until.Format(time.DateOnly), countText(s.Landed, "spec")),
		s.LeadTime.String() + "; " + s.FirstAttempt.String() + ".",
		agents,
	}
}

// String returns the lead time in words.
func (l LeadTime) String() string {
	if l.Median == nil {
		return "Lead time unknown"
	}
	return fmt.Sprintf("Lead time %s median, %s p90 (of %s)", seconds(*l.Median), seconds(*l.P90), countText(l.Specs, "spec"))
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
	return fmt.Sprintf("%s: %s on %s, %s", name, countText(a.Sessions, "session"), countText(a.Specs, "spec"), a.Use)
}

func seconds(s float64) string { return text.ShortSpan(time.Duration(s * float64(time.Second))) }

func countText(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
