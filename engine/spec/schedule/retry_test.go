package schedule

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// TestDefaultRetry_patterns matches what providers say when they are busy, and not what
// they say when something else is wrong.
func TestDefaultRetry_patterns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"exit code 1: API Error: 429 rate limited": true,
		"Rate limit reached, try again later":      true,
		"rate_limit_error":                         true,
		"Too Many Requests":                        true,
		"API Error (529): Overloaded":              true,
		"overloaded_error":                         true,
		"API Error: 500":                           true,
		"HTTP 503":                                 true,
		"status code: 502":                         true,
		"504 Gateway Timeout":                      true,
		"You've hit your usage limit. Upgrade to Pro or try again in 3 hours 2 minutes.": true,
		"Claude AI usage limit reached|1763800000":                                       true,
		"5-hour limit reached ∙ resets 3pm":                                              true,
		"You've hit your weekly limit · resets Monday":                                   true,
		"Error 429 RESOURCE_EXHAUSTED: You exceeded your current quota":                  true,
		"no answer from http://127.0.0.1:11434/v1: connection refused":                   true,
		"the model's API has not answered for 30s: attempt 6 of 10 in 17.1 s: unknown":   true,
		"the answer broke off: the stream ended before it did":                           true,
		"context limit reached":                                                          false,
		"turn limit of the spec reached: 3 of 3":                                         false,
		"psql: connection refused":                                                       false,
		"Disk quota exceeded":                                                            false,
		"exit code 1":                                                                    false,
		"1429 tests failed":                                                              false,
		"500 of 1000 tests failed":                                                       false,
		"exit code 127: sh: claude: not found":                                           false,
		"time limit of 60m reached":                                                      false,
		"API Error: 401 invalid x-api-key":                                               false,
		"Your credit balance is too low to access the model":                             false,
	} {
		_, got := DefaultRetry().Next(0, text)
		assert.Equal(t, want, got, "%q is retried", text)
	}
}

// TestRetry_Next: at most Max retries, each after a wait that is not shorter than the one
// before and at most an hour, and only for texts that match. It reads no clock.
func TestRetry_Next(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := Retry{
			Max:      rapid.IntRange(0, 100).Draw(t, "max"),
			Delay:    time.Duration(rapid.Int64Range(0, int64(2*time.Hour)).Draw(t, "delay")),
			Factor:   rapid.Float64Range(1, 1e300).Draw(t, "factor"),
			Patterns: []*regexp.Regexp{regexp.MustCompile("^busy$")},
		}
		before := time.Duration(0)
		for n := range r.Max + 3 {
			wait, again := r.Next(n, "busy")
			if again != (n < r.Max) {
				t.Fatalf("retry %d of %d: %v", n, r.Max, again)
			}
			if again && (wait < before || wait < 0 || wait > maxWait) {
				t.Fatalf("waits %s, and %s before", wait, before)
			}
			before = wait
			if _, again := r.Next(n, "busy?"); again {
				t.Fatal("what does not match is tried again")
			}
		}
	})
}

// TestRetry_Next_asked: a wait that an agent asks for replaces the delay, up to an hour.
func TestRetry_Next_asked(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]time.Duration{
		"usage limit, try again in 3 hours 2 minutes.":               time.Hour,
		"rate limit: Please try again in 12 minutes":                 12 * time.Minute,
		"rate limit: try again in 5m30s":                             5*time.Minute + 30*time.Second,
		"rate limit, retry after 1 hour, and 5 minutes":              time.Hour,
		"Rate limit reached. Please try again in 1.5m.":              90 * time.Second,
		"rate limit: try again in 20ms":                              time.Second,
		"rate limit: try again in 1500 milliseconds":                 1500 * time.Millisecond,
		"rate limit: try again in 7 seconds":                         7 * time.Second,
		"rate limited, retry after 5 seconds":                        5 * time.Second,
		"429 Too Many Requests; Retry-After: 9":                      9 * time.Second,
		`429 {"error":"rate_limit","retry_after":3}`:                 3 * time.Second,
		`429 {"retry_after_ms": 2500}`:                               2500 * time.Millisecond,
		`RESOURCE_EXHAUSTED "retryDelay": "39s"`:                     39 * time.Second,
		"rate limit: Please retry in 39.5s.":                         39500 * time.Millisecond,
		"rate limit, retry after 0 seconds":                          time.Minute,
		"rate limit: try again in 2 days":                            time.Hour,
		"rate limit: try again in " + strings.Repeat("9", 400) + "h": time.Minute,
		"rate limit: try again in a moment":                          time.Minute,
	} {
		got, again := DefaultRetry().Next(0, said)
		assert.True(t, again, "%.60q: after %s, want %s", said, got, want)
		assert.Equal(t, want, got, "%.60q: after", said)
	}
}

// TestRetry_Next_askedAgain: an agent that asks for the same wait again waits longer, as
// without such a request.
func TestRetry_Next_askedAgain(t *testing.T) {
	t.Parallel()
	for n, want := range []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second} {
		got, again := DefaultRetry().Next(n, "rate limit, retry after 5 seconds")
		assert.True(t, again, "retry %d after %s, want %s", n, got, want)
		assert.Equal(t, want, got, "retry %d after", n)
	}
}

func TestRetry_Next_doubles(t *testing.T) {
	t.Parallel()
	r := DefaultRetry()
	for n, want := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute} {
		got, again := r.Next(n, "overloaded")
		assert.True(t, again, "retry %d after %s, want %s", n, got, want)
		assert.Equal(t, want, got, "retry %d after", n)
	}
	_, again := r.Next(3, "overloaded")
	assert.False(t, again, "a fourth retry")
}
