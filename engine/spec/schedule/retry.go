package schedule

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// AfterFailure says what happens to the other specs after a failure that is not tried again.
type AfterFailure string

// What follows a failure that is not tried again.
const (
	Skip AfterFailure = "skip" // the others continue
	Stop AfterFailure = "stop" // nothing more starts
)

// ParseAfterFailure reads an AfterFailure; "" is Skip.
func ParseAfterFailure(text string) (AfterFailure, error) {
	switch f := AfterFailure(text); f {
	case "":
		return Skip, nil
	case Skip, Stop:
		return f, nil
	}
	return "", fmt.Errorf("unknown value %q (one of skip, stop)", text)
}

// maxWait is the maximum wait before a retry.
const maxWait = time.Hour

// timeUntil returns how long until a time that a policy has set, 0 if it has passed or is further ahead than any policy
// sets.
func timeUntil(at, now time.Time) time.Duration {
	left := at.Sub(now)
	// A time further ahead than any policy sets was set by a wrong clock.
	if left < 0 || left > maxWait {
		return 0
	}
	return left
}

// Retry says which failures of an agent are tried again, and when.
type Retry struct {
	Max      int           // retries of one spec
	Delay    time.Duration // before the first
	Factor   float64       // by which the delay of each further retry grows, at least 1
	Patterns []*regexp.Regexp
	Finally  AfterFailure
}

// DefaultRetry retries failures in which a provider says that it is busy: three times,
// after one, two and four minutes.
func DefaultRetry() Retry {
	return Retry{Max: 3, Delay: time.Minute, Factor: 2, Finally: Skip, Patterns: []*regexp.Regexp{regexp.MustCompile(busy)}}
}

// busy matches how model providers report a limit of requests or of a subscription, or an
// outage.
const busy = `(?i)rate.?limit|too many requests|\b429\b|overloaded|\b529\b|` +
	`usage limit|-hour limit|weekly limit|hit your .{0,20}limit|resource.?exhausted|exceeded your .{0,20}quota|` +
	`internal server error|bad gateway|service unavailable|gateway time-?out|\b(api error|http|status)\D{0,12}5\d\d\b|` +
	`\bno answer from https?://|\bthe (answer|server) broke off\b|` +
	`\bthe model's API has not answered\b`

// later matches when to try again, in words; header matches it in HTTP and JSON, in seconds
// unless there is a unit.
const (
	later  = `(?i)\b(?:try again|retry|available again) (?:in|after) ((?:(?:,? ?and)? ?\d+(?:\.\d+)? ?(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|milliseconds?|ms|[dhms]))+)\b`
	header = `(?i)\bretry[-_ ]?(?:after|delay)(?:[-_](?:ms|seconds))?["']?(?: ?[:=] ?| )["']?(\d+(?:\.\d+)? ?(?:ms|s)?)\b`
)

// minWait is the minimum wait after a server has asked for one.
const minWait = time.Second

// Next returns how long to wait before the next retry of an agent that failed with this text,
// after so many retries; false if it is not retried. A wait that the server asked for replaces
// Delay, from a second to an hour.
func (r Retry) Next(retries int, said string) (time.Duration, bool) {
	if retries < 0 || retries >= r.Max || !r.matches(said) {
		return 0, false
	}
	if wait := requestedWait(said); wait > 0 {
		// The server knows better than the policy when it is free.
		r.Delay = max(minWait, wait)
	}
	return r.delayAfter(retries), true
}

// requestedWait returns how long a text asks to wait, 0 if it does not.
func requestedWait(text string) time.Duration {
	found := regexp.MustCompile(later).FindStringSubmatch(text)
	// Words for people are more exact than a header that was printed along with them.
	if found == nil {
		found = regexp.MustCompile(header).FindStringSubmatch(text)
	}
	if found == nil {
		return 0
	}
	if strings.Trim(found[1], "0123456789.") == "" {
		// HTTP counts in seconds where no unit is given.
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
	// The product of a large number would not fit a duration.
	return time.Duration(min(sum, float64(maxWait)))
}

// delayAfter returns the wait after so many retries.
func (r Retry) delayAfter(retries int) time.Duration {
	wait := float64(r.Delay)
	for range retries {
		// A longer wait would overflow after a few more retries.
		if wait *= max(1, r.Factor); wait > float64(maxWait) {
			return maxWait
		}
	}
	return min(maxWait, time.Duration(wait))
}

func (r Retry) matches(said string) bool {
	for _, p := range r.Patterns {
		if p.MatchString(said) {
			return true
		}
	}
	return false
}
