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

// later is how they say when to come back, in words; header is how HTTP and JSON say it,
// in seconds unless there is a unit.
const (
	later  = `(?i)\b(?:try again|retry|available again) (?:in|after) ((?:(?:,? ?and)? ?\d+(?:\.\d+)? ?(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|milliseconds?|ms|[dhms]))+)\b`
	header = `(?i)\bretry[-_ ]?(?:after|delay)(?:[-_](?:ms|seconds))?["']?(?: ?[:=] ?| )["']?(\d+(?:\.\d+)? ?(?:ms|s)?)\b`
)

// shortest bounds the wait that a server may ask for.
const shortest = time.Second

// Next reports how long to wait before an agent is asked again that said this when it
// failed, after so many retries; false when it is not. A wait that the server asked for
// takes the place of Delay, from a second to an hour.
func (r Retry) Next(retries int, said string) (time.Duration, bool) {
	if retries < 0 || retries >= r.Max || !r.matches(said) {
		return 0, false
	}
	if wait := asked(said); wait > 0 {
		r.Delay = max(shortest, wait)
	}
	return r.grown(retries), true
}

// asked is how long a text asks to wait, 0 when it does not.
func asked(text string) time.Duration {
	found := regexp.MustCompile(later).FindStringSubmatch(text)
	if found == nil {
		found = regexp.MustCompile(header).FindStringSubmatch(text)
	}
	if found == nil {
		return 0
	}
	if strings.Trim(found[1], "0123456789.") == "" {
		found[1] += "s"
		if strings.Contains(strings.ToLower(found[0]), "_ms") {
			found[1] = strings.TrimSuffix(found[1], "s") + "ms"
		}
	}
	sum := 0.0
	units := map[string]time.Duration{"d": 24 * time.Hour, "h": time.Hour, "m": time.Minute, "s": time.Second, "ms": time.Millisecond}
	for _, part := range regexp.MustCompile(`(?i)(\d+(?:\.\d+)?) ?(ms|milli|[dhms])`).FindAllStringSubmatch(found[1], -1) {
		n, err := strconv.ParseFloat(part[1], 64)
		if err != nil {
			return 0
		}
		sum += n * float64(units[strings.Replace(strings.ToLower(part[2]), "milli", "ms", 1)])
	}
	return time.Duration(min(sum, float64(longest)))
}

// grown is the wait after so many retries.
func (r Retry) grown(retries int) time.Duration {
	wait := float64(r.Delay)
	for range retries {
		if wait *= max(1, r.Factor); wait > float64(longest) {
			return longest
		}
	}
	return min(longest, time.Duration(wait))
}

func (r Retry) matches(said string) bool {
	for _, p := range r.Patterns {
		if p.MatchString(said) {
			return true
		}
	}
	return false
}
