package schedule

import (
	"regexp"
	"time"
)

// Waiting describes what a loop waits for while nothing runs.
type Waiting struct {
	Agents []Postponed // in the order of the pool
	Until  time.Time   // when the first task can start
	Ready  int         // tasks that could start otherwise
}

// Postponed is an agent that gets no task until a time.
type Postponed struct {
	Name  string
	Until time.Time
	Why   string // in a few words
}

// ShortReason returns in a few words why an agent is postponed that failed with this text.
func ShortReason(said string) string {
	for _, c := range []struct{ pattern, why string }{
		{`(?i)usage limit|-hour limit|weekly limit|hit your .{0,20}limit|exceeded your .{0,20}quota`, "usage limit reached"},
		{`(?i)rate.?limit|too many requests|\b429\b|resource.?exhausted`, "rate limited"},
		{`(?i)overloaded|\b529\b`, "overloaded"},
		{`(?i)\bno answer from https?://`, "does not answer"},
	} {
		if regexp.MustCompile(c.pattern).MatchString(said) {
			return c.why
		}
	}
	return "not available"
}

// reportWaiting reports what is waited for, if nothing runs and that has changed.
func (l *loop) reportWaiting(wait time.Duration, ready int) {
	// While something runs, its end changes what is ready.
	if l.Waits == nil || l.closed || len(l.running) > 0 || wait <= 0 || ready == 0 {
		return
	}
	now := l.Now()
	w := Waiting{Agents: l.Pool.postponed(now), Until: now.Add(wait), Ready: ready}
	// The end of a wait varies a little each time it is computed.
	if changed := w.Ready - l.reported.Ready; changed != 0 || w.Until.Sub(l.reported.Until).Abs() >= time.Second {
		l.reported = w
		l.Waits(w)
	}
}

// postponed lists the agents that get no task now.
func (p *Pool) postponed(now time.Time) []Postponed {
	var out []Postponed
	add := func(s *agentSlot) {
		if timeUntil(s.until, now) > 0 {
			out = append(out, Postponed{s.Name, s.until, s.why})
		}
	}
	for _, s := range p.slots {
		add(s)
	}
	for _, s := range p.onDemand {
		add(s)
	}
	return out
}
