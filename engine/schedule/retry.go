package schedule

import (
	"fmt"
	"regexp"
	"time"
)

// AfterFailure says what a failure that is not tried again means for the others.
type AfterFailure string

// What follows on a failure for good.
const (
	Skip AfterFailure = "skip" // the others go on
	Stop AfterFailure = "stop" // nothing starts any more
)

// ParseAfterFailure reads one.
func ParseAfterFailure(text string) (AfterFailure, error) {
	switch f := AfterFailure(text); f {
	case "":
		return Skip, nil
	case Skip, Stop:
		return f, nil
	}
	return "", fmt.Errorf("unknown value %q (one of skip, stop)", text)
}

// longest bounds the wait before a retry.
const longest = time.Hour

// ahead is how long until a time that was set by a policy, 0 when it has come. One that
// is further ahead than any policy sets it was set by another clock, and has come too.
func ahead(at, now time.Time) time.Duration {
	left := at.Sub(now)
	if left < 0 || left > longest {
		return 0
	}
	return left
}

// Retry says which failures of an agent are tried again, and when.
type Retry struct {
	Max      int           // retries of one spec
	Delay    time.Duration // before the first
	Factor   float64       // by which each further one waits longer, at least 1
	Patterns []*regexp.Regexp
	Finally  AfterFailure
}

// DefaultRetry tries again what providers say when they are busy: three times,
// after one, two and four minutes.
func DefaultRetry() Retry {
	return Retry{Max: 3, Delay: time.Minute, Factor: 2, Finally: Skip, Patterns: []*regexp.Regexp{regexp.MustCompile(busy)}}
}

// busy is how the model providers word a limit or an outage.
const busy = `(?i)rate.?limit|too many requests|\b429\b|overloaded|\b529\b|` +
	`internal server error|bad gateway|service unavailable|gateway time-?out|\b(api error|http|status)\D{0,12}5\d\d\b`

// Next tells how long to wait before an agent is asked again that said this when it
// failed, after so many retries; false when it is not.
func (r Retry) Next(retries int, said string) (time.Duration, bool) {
	if retries < 0 || retries >= r.Max || !r.matches(said) {
		return 0, false
	}
	wait := float64(r.Delay)
	for range retries {
		if wait *= max(1, r.Factor); wait > float64(longest) {
			return longest, true
		}
	}
	return min(longest, time.Duration(wait)), true
}

func (r Retry) matches(said string) bool {
	for _, p := range r.Patterns {
		if p.MatchString(said) {
			return true
		}
	}
	return false
}
