package text

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// This file reads the times that people name, such as "2 weeks ago", and names times for people.
//
// Rules:
//
//   - It is pure: the caller says what time it is, and in which time zone days begin.
//   - What cannot be read is refused with what is allowed. Nothing is guessed: a word after a valid time is an error.

// AllowedTimes names the forms that Parse reads, for messages.
const AllowedTimes = "a day such as 2026-11-26, today, yesterday, 90m, 12h, 3d, 2w, 6mo, 1y, 2 weeks ago, a local time such as 2026-11-26 15:04:05, or a time of RFC 3339"

// TimeError is a text that names no time.
type TimeError struct{ Text string }

// TimeError quotes the text and says what is allowed.
func (e *TimeError) Error() string {
	return fmt.Sprintf("invalid time %q (use %s)", e.Text, AllowedTimes)
}

// oldest is the first year of a time, and newest the last.
const oldest, newest = 1970, 9999

// ParseTime reads a time: a day, which begins at midnight in the zone of now, a time of RFC 3339, one of LocalTime in that
// zone, or how long ago. Error: *TimeError.
func ParseTime(text string, now time.Time) (time.Time, error) {
	words := strings.Fields(strings.ToLower(text))
	// Two words would be taken for a number and its unit below.
	at, err := time.ParseInLocation(time.DateTime, strings.Join(words, " "), now.Location())
	ok := err == nil
	switch {
	case ok:
	case len(words) == 1:
		at, ok = parseWord(strings.TrimSpace(text), words[0], now)
	case len(words) == 2 && words[1] == "ago":
		at, ok = parseSpan(words[0], now)
	case len(words) == 2:
		at, ok = parseSpan(words[0]+words[1], now)
	case len(words) == 3 && words[2] == "ago":
		at, ok = parseSpan(words[0]+words[1], now)
	}
	if !ok || at.Year() < oldest || at.Year() > newest {
		return time.Time{}, &TimeError{text}
	}
	return at, nil
}

func parseWord(text, word string, now time.Time) (time.Time, bool) {
	switch word {
	case "now":
		return now, true
	case "today":
		return midnight(now), true
	case "yesterday":
		return midnight(now.AddDate(0, 0, -1)), true
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return day, true
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, true
	}
	return parseSpan(word, now)
}

// IsDay reports whether a text that ParseTime reads names a whole day.
func IsDay(text string) bool {
	word := strings.ToLower(strings.TrimSpace(text))
	_, err := time.Parse(time.DateOnly, word)
	return err == nil || word == "today" || word == "yesterday"
}

func midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// mostUnits is how many units ago a time may be.
const mostUnits = 100_000

// parseSpan reads a number and a unit.
func parseSpan(text string, now time.Time) (time.Time, bool) {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	n, err := strconv.Atoi(digits)
	// Atoi takes a sign, which "-3d" must not have.
	if err != nil || n < 0 || n > mostUnits || digits[0] < '0' || digits[0] > '9' {
		return time.Time{}, false
	}
	switch text[len(digits):] {
	case "s", "sec", "second", "seconds":
		return now.Add(-time.Duration(n) * time.Second), true
	case "m", "min", "minute", "minutes":
		return now.Add(-time.Duration(n) * time.Minute), true
	case "h", "hour", "hours":
		return now.Add(-time.Duration(n) * time.Hour), true
	case "d", "day", "days":
		// Days and longer units are those of the calendar: a day has 23 or 25 hours when clocks change.
		return now.AddDate(0, 0, -n), true
	case "w", "week", "weeks":
		return now.AddDate(0, 0, -7*n), true
	case "mo", "month", "months":
		return now.AddDate(0, -n, 0), true
	case "y", "year", "years":
		return now.AddDate(-n, 0, 0), true
	}
	return time.Time{}, false
}

// The lengths of units for Ago.
const (
	day   = 24 * time.Hour
	week  = 7 * day
	month = 30 * day
	year  = 365 * day
)

// LocalTime is a time for people: to the second, in the zone of this machine. ParseTime reads it.
func LocalTime(t time.Time) string { return t.Local().Format(time.DateTime) }

// Ago names how long a time is ago, by its largest unit: "just now", "5 minutes ago", "in 2 hours".
func Ago(t, now time.Time) string {
	d := now.Sub(t)
	form := "%s ago"
	if d < 0 {
		d, form = -d, "in %s"
	}
	if d < time.Minute {
		// The clocks of machines differ by so much.
		return "just now"
	}
	return fmt.Sprintf(form, Span(d))
}

// Duration writes a duration in the form of settings: 90s, 10m, 1h30m.
func Duration(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	text := d.String()
	// Go writes 1h0m0s for one hour.
	for _, end := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, end) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// Span names a duration of at least a second by its largest unit.
func Span(d time.Duration) string {
	for _, u := range []struct {
		length time.Duration
		name   string
	}{{year, "year"}, {month, "month"}, {week, "week"}, {day, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if n := d / u.length; n > 0 {
			return plural(int(n), u.name)
		}
	}
	return plural(int(d/time.Second), "second")
}

// ShortSpan names a duration with one decimal in the largest unit of which there are two or more: 36m, 5.2h, 3.4d.
func ShortSpan(d time.Duration) string {
	switch {
	case d >= 2*day:
		return strconv.FormatFloat(float64(d)/float64(day), 'f', 1, 64) + "d"
	case d >= 2*time.Hour:
		return strconv.FormatFloat(d.Hours(), 'f', 1, 64) + "h"
	case d >= 2*time.Minute:
		return strconv.FormatFloat(d.Minutes(), 'f', 1, 64) + "m"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 0, 64) + "s"
}

func plural(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
