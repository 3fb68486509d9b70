package schedule

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
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

// busy is how the model providers word a limit or an outage: of requests, of a
// subscription, of a server that is away or goes away.
const busy = `(?i)rate.?limit|too many requests|\b429\b|overloaded|\b529\b|` +
	`usage limit|-hour limit|weekly limit|hit your .{0,20}limit|resource.?exhausted|exceeded your .{0,20}quota|` +
	`internal server error|bad gateway|service unavailable|gateway time-?out|\b(api error|http|status)\D{0,12}5\d\d\b|` +
	`\bno answer from https?://|\bthe (answer|server) broke off\b`

// later is how they say when to come back.
const later = `(?i)\b(?:try again|retry|available again) (?:in|after) ((?:(?:,? ?and)? ?\d+(?:\.\d+)? ?(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms]))+)\b`

// Next tells how long to wait before an agent is asked again that said this when it
// failed, after so many retries; false when it is not. What it asked for itself is waited
// for where that is longer, up to an hour.
func (r Retry) Next(retries int, said string) (time.Duration, bool) {
	wait, again := r.next(retries, said)
	if !again {
		return 0, false
	}
	return max(wait, min(longest, asked(said))), true
}

// asked is how long a text asks to wait, 0 when it does not.
func asked(text string) time.Duration {
	found := regexp.MustCompile(later).FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	sum := 0.0
	units := map[string]time.Duration{"d": 24 * time.Hour, "h": time.Hour, "m": time.Minute, "s": time.Second}
	for _, part := range regexp.MustCompile(`(?i)(\d+(?:\.\d+)?) ?([dhms])`).FindAllStringSubmatch(found[1], -1) {
		n, err := strconv.ParseFloat(part[1], 64)
		if err != nil {
			return 0
		}
		sum += n * float64(units[strings.ToLower(part[2])])
	}
	return time.Duration(min(sum, float64(longest)))
}

func (r Retry) next(retries int, said string) (time.Duration, bool) {
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
