package schedule

import (
	"regexp"
	"time"
)

// Waiting is what a loop waits for in which nothing runs.
type Waiting struct {
	Agents []PutOff  // agents that get nothing for a while, in the order of the pool
	Until  time.Time // when the first task can start
	Ready  int       // tasks that could start but for that
}

// PutOff is an agent that gets nothing until a time.
type PutOff struct {
	Name  string
	Until time.Time
	Why   string // in a few words
}

// Why says in a few words why an agent is put off that failed with this text.
func Why(said string) string {
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

// report passes on what everything waits for, where nothing runs and it has changed.
func (l *loop) report(wait time.Duration, ready int) {
	if l.Waits == nil || l.closed || len(l.running) > 0 || wait <= 0 || ready == 0 {
		return
	}
	now := l.Now()
	w := Waiting{Agents: l.Pool.putOff(now), Until: now.Add(wait), Ready: ready}
	if changed := w.Ready - l.told.Ready; changed != 0 || w.Until.Sub(l.told.Until).Abs() >= time.Second {
		l.told = w
		l.Waits(w)
	}
}

// putOff lists the agents that get nothing now.
func (p *Pool) putOff(now time.Time) []PutOff {
	var out []PutOff
	add := func(s *seat) {
		if ahead(s.until, now) > 0 {
			out = append(out, PutOff{s.Name, s.until, s.why})
		}
	}
	for _, s := range p.seats {
		add(s)
	}
	for _, s := range p.demanded {
		add(s)
	}
	return out
}
