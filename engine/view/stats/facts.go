package stats

import "time"

// Facts is what is known of the work of a project.
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

func (p Period) has(t time.Time) bool {
	return !t.IsZero() && !t.Before(p.Since) && !t.After(p.Until)
}

func (p Period) hasUnix(seconds int64) bool { return p.has(time.Unix(seconds, 0)) }
