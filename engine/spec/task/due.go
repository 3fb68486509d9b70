package task

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ParseDue reads a due date and returns it as YYYY-MM-DD, or as a time in UTC if it has a time of day. It accepts ISO
// dates, RFC 3339, today, tomorrow, "next week", "next month", names of weekdays, and distances: "+3d", "+2w", "+1bd",
// "in 2 weeks", "in 3 business days". Days are days in UTC.
func ParseDue(text string, now time.Time) (canonical string, err error) {
	trimmed := strings.TrimSpace(text)
	if canonical, ok := exactDue(trimmed); ok {
		return canonical, nil
	}
	// Days are days in UTC, so the same text means the same day for everyone.
	now = now.UTC()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	day, ok := relativeDue(strings.Join(strings.Fields(strings.ToLower(trimmed)), " "), today)
	// The stored form has four digits for the year.
	if !ok || day.Year() > 9999 {
		return "", fmt.Errorf("invalid due date %q (use YYYY-MM-DD, RFC 3339, today, tomorrow, a weekday, +3d or in 2 weeks)", text)
	}
	return day.Format(time.DateOnly), nil
}

// exactDue reads a date or a time.
func exactDue(text string) (string, bool) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.Format(time.DateOnly), true
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			if at = at.UTC(); at.Year() < 0 || at.Year() > 9999 {
				return "", false
			}
			return at.Format(time.RFC3339), true
		}
	}
	return "", false
}

// relativeDue reads a date that depends on today.
func relativeDue(text string, today time.Time) (time.Time, bool) {
	switch text {
	case "today":
		return today, true
	case "tomorrow":
		return today.AddDate(0, 0, 1), true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	case "next week":
		return today.AddDate(0, 0, 7), true
	case "next month":
		return addMonths(today, 1), true
	case "next business day", "next workday":
		return addWorkdays(today, 1), true
	}
	word := strings.TrimPrefix(strings.TrimPrefix(text, "next "), "this ")
	if weekday, ok := parseWeekday(word); ok {
		// The name of today's weekday means the day in a week.
		ahead := (int(weekday)-int(today.Weekday())+6)%7 + 1
		return today.AddDate(0, 0, ahead), true
	}
	return distantDue(text, today)
}

// parseWeekday reads the name of a weekday, or at least three letters of it.
func parseWeekday(text string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		name := strings.ToLower(day.String())
		if len(text) >= 3 && strings.HasPrefix(name, text) {
			return day, true
		}
	}
	return 0, false
}

// maxDistance limits a distance, in its own unit.
const maxDistance = 10_000

// distantDue reads "+3d" and "in 3 days".
func distantDue(text string, today time.Time) (time.Time, bool) {
	rest, plus := strings.CutPrefix(text, "+")
	rest, in := strings.CutPrefix(rest, "in ")
	if plus == in {
		return today, false
	}
	rest = strings.TrimSpace(rest)
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 1 {
		return today, false
	}
	n, err := strconv.Atoi(rest[:end])
	// Dates would overflow.
	if err != nil || n > maxDistance {
		return today, false
	}
	unit := strings.TrimSpace(rest[end:])
	switch {
	case slices.Contains([]string{"d", "day", "days"}, unit):
		return today.AddDate(0, 0, n), true
	case slices.Contains([]string{"w", "week", "weeks"}, unit):
		return today.AddDate(0, 0, 7*n), true
	case slices.Contains([]string{"m", "mo", "month", "months"}, unit):
		return addMonths(today, n), true
	case slices.Contains([]string{"y", "year", "years"}, unit):
		return addMonths(today, 12*n), true
	case slices.Contains([]string{"bd", "business day", "business days", "workday", "workdays"}, unit):
		return addWorkdays(today, n), true
	}
	return today, false
}

// addMonths returns the same day of a later month, or its last day if it is shorter.
func addMonths(day time.Time, n int) time.Time {
	first := time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, n, 0)
	// AddDate would turn January 31 and one month into a day of March.
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(day.Day(), last)-1)
}

// addWorkdays counts days from Monday to Friday.
func addWorkdays(day time.Time, n int) time.Time {
	for n > 0 {
		day = day.AddDate(0, 0, 1)
		if day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
			n--
		}
	}
	return day
}
