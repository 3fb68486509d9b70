package text

import (
	"errors"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// now is a Thursday in a zone of its own.
func now() time.Time {
	return time.Date(2026, 11, 26, 15, 4, 5, 0, time.FixedZone("X", 2*60*60))
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-11-01":                "2026-11-01T00:00:00+02:00",
		"2026-11-01T10:00:00Z":      "2026-11-01T10:00:00Z",
		"2026-11-01T10:00:00-07:00": "2026-11-01T10:00:00-07:00",
		"2026-11-01 15:04:05":       "2026-11-01T15:04:05+02:00",
		" 2026-11-01  15:04:05 ":    "2026-11-01T15:04:05+02:00",
		" today ":                   "2026-11-26T00:00:00+02:00",
		"Yesterday":                 "2026-11-25T00:00:00+02:00",
		"now":                       "2026-11-26T15:04:05+02:00",
		"90s":                       "2026-11-26T15:02:35+02:00",
		"90m":                       "2026-11-26T13:34:05+02:00",
		"2 days ago":                "2026-11-24T15:04:05+02:00",
		"12h":                       "2026-11-26T03:04:05+02:00",
		"3d":                        "2026-11-23T15:04:05+02:00",
		"2w":                        "2026-11-12T15:04:05+02:00",
		"6mo":                       "2026-05-26T15:04:05+02:00",
		"1y":                        "2025-11-26T15:04:05+02:00",
		"2 weeks ago":               "2026-11-12T15:04:05+02:00",
		"1 month":                   "2026-10-26T15:04:05+02:00",
		"3d ago":                    "2026-11-23T15:04:05+02:00",
		"0d":                        "2026-11-26T15:04:05+02:00",
	} {
		got, err := ParseTime(text, now())
		assert.NoError(t, err, "%q", text)
		assert.Equal(t, want, got.Format(time.RFC3339), "%q", text)
	}
	for _, text := range []string{
		"", "x", "tomorrow", "-3d", "+3d", "3", "d", "3 dogs", "3d 4h", "2026-13-01", "2026-02-30", "last week", "2 weeks ago today", "1e3d",
		"99999999999999999999d", "100001d", "3 weeks before", "0000-01-01", "1969-12-31", "٣d", "3.5d", "60 years ago", "a week ago", "ago",
		"2026-11-01 25:00:00", "2026-11-01 15:04", "2026-11-01 15:04:05 ago", "1969-12-31 15:04:05",
	} {
		_, err := ParseTime(text, now())
		wrong, ok := errors.AsType[*TimeError](err)
		assert.True(t, ok, "%q: %v", text, err)
		assert.Contains(t, wrong.Error(), AllowedTimes, "%q: %v", text, err)
	}
}

func TestAgo(t *testing.T) {
	t.Parallel()
	for ago, want := range map[time.Duration]string{
		0: "just now", 59 * time.Second: "just now", -59 * time.Second: "just now", time.Minute: "1 minute ago", 119 * time.Second: "1 minute ago",
		2 * time.Minute: "2 minutes ago", 59 * time.Minute: "59 minutes ago", time.Hour: "1 hour ago", 23 * time.Hour: "23 hours ago",
		day: "1 day ago", 6 * day: "6 days ago", week: "1 week ago", 29 * day: "4 weeks ago", month: "1 month ago", 364 * day: "12 months ago",
		year: "1 year ago", 3 * year: "3 years ago", -2 * time.Hour: "in 2 hours",
	} {
		assert.Equal(t, want, Ago(now().Add(-ago), now()), "%v", ago)
	}
	for d, want := range map[time.Duration]string{
		0: "0s", 90 * time.Second: "90s", 150 * time.Second: "2.5m", 119 * time.Minute: "119.0m", 3 * time.Hour: "3.0h", 47 * time.Hour: "47.0h", 84 * time.Hour: "3.5d",
	} {
		assert.Equal(t, want, ShortSpan(d), "%v", d)
	}
}

// FuzzParse: every text names a time that a date can be written of, or is refused.
func FuzzParse(f *testing.F) {
	f.Add("2 weeks ago")
	f.Add("2026-11-26T00:00:00+99:99")
	f.Add("100000y")
	f.Add("2026-11-26 15:04:05")
	f.Fuzz(func(t *testing.T, text string) {
		at, err := ParseTime(text, now())
		if err != nil {
			_, ok := errors.AsType[*TimeError](err)
			assert.True(t, ok, "%q: %v, %v", text, at, err)
			assert.True(t, at.IsZero(), "%q: %v, %v", text, at, err)
			return
		}
		again, err := ParseTime(at.Format(time.RFC3339), now())
		assert.NoError(t, err, "%q", text)
		assert.True(t, again.Equal(at.Truncate(time.Second)), "%q is %v, and then %v, %v", text, at, again, err)
		Ago(at, now())
	})
}
