package sprint

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// State is where a sprint is in its life.
type State string

// States, as lotar names them.
const (
	Pending  State = "pending"
	Active   State = "active"
	Overdue  State = "overdue"
	Complete State = "complete"
)

// Dates are the times of a sprint in UTC; one that is zero is not known.
type Dates struct {
	PlannedStart, PlannedEnd, ActualStart, ActualEnd, ComputedEnd time.Time
	Length                                                        time.Duration // 0 if there is none
}

// Lifecycle is the state of a sprint and its times, as RFC 3339 in UTC.
type Lifecycle struct {
	Status       State  `json:"status"`
	State        State  `json:"state"` // the same: lotar's clients read either
	PlannedStart string `json:"planned_start,omitempty"`
	PlannedEnd   string `json:"planned_end,omitempty"`
	ActualStart  string `json:"actual_start,omitempty"`
	ActualEnd    string `json:"actual_end,omitempty"`
	ComputedEnd  string `json:"computed_end,omitempty"`
}

// Dates returns the times of the sprint, and a warning for each value that does not count.
func (s *Sprint) Dates() (Dates, []Warning) {
	var d Dates
	var warnings []Warning
	for _, field := range []struct {
		name, text string
		to         *time.Time
	}{
		{"plan.starts_at", s.Plan.StartsAt, &d.PlannedStart}, {"plan.ends_at", s.Plan.EndsAt, &d.PlannedEnd},
		{"actual.started_at", s.Actual.StartedAt, &d.ActualStart}, {"actual.closed_at", s.Actual.ClosedAt, &d.ActualEnd},
	} {
		if field.text == "" {
			continue
		}
		at, ok := ParseTime(field.text)
		if !ok {
			warnings = append(warnings, Warning{UnparseableTimestamp, fmt.Sprintf(
				"invalid time %q in %s (use 2026-12-01 or 2026-12-01T09:00:00Z)", field.text, field.name)})
			// A value that cannot be read does not hide the others.
			continue
		}
		*field.to = at
	}
	if s.Plan.Length != "" {
		length, ok := ParseLength(s.Plan.Length)
		if !ok {
			warnings = append(warnings, Warning{UnparseableLength, fmt.Sprintf(
				"invalid length %q in plan.length (use 10d, 2w or \"2 weeks\")", s.Plan.Length)})
		}
		d.Length = length
	}
	d.ComputedEnd = d.computedEnd()
	return d, warnings
}

// computedEnd returns the planned end, else the start plus the length.
func (d Dates) computedEnd() time.Time {
	switch {
	case !d.PlannedEnd.IsZero():
		return d.PlannedEnd
	case d.Length > 0 && !d.ActualStart.IsZero():
		return d.ActualStart.Add(d.Length)
	case d.Length > 0 && !d.PlannedStart.IsZero():
		return d.PlannedStart.Add(d.Length)
	}
	return time.Time{}
}

// State returns where a sprint with these times is at a time. A sprint that was never started is overdue after its end.
func (d Dates) State(now time.Time) State {
	switch {
	case !d.ActualEnd.IsZero():
		return Complete
	// A sprint that was never started can be overdue too.
	case !d.ComputedEnd.IsZero() && now.After(d.ComputedEnd):
		return Overdue
	case !d.ActualStart.IsZero():
		return Active
	}
	return Pending
}

// State returns where the sprint is at a time.
func (s *Sprint) State(now time.Time) State {
	d, _ := s.Dates()
	return d.State(now)
}

// Lifecycle returns the state and the times of the sprint.
func (s *Sprint) Lifecycle(now time.Time) Lifecycle {
	d, _ := s.Dates()
	return d.lifecycle(now)
}

func (d Dates) lifecycle(now time.Time) Lifecycle {
	state := d.State(now)
	return Lifecycle{
		Status: state, State: state, PlannedStart: stamp(d.PlannedStart), PlannedEnd: stamp(d.PlannedEnd),
		ActualStart: stamp(d.ActualStart), ActualEnd: stamp(d.ActualEnd), ComputedEnd: stamp(d.ComputedEnd),
	}
}

// stamp writes a time as RFC 3339 in UTC, without fractions of seconds; a zero time is an empty text.
func stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// ParseTime reads RFC 3339, the same without a zone or with a space in the place of T, which is UTC, or a date, which is
// midnight UTC.
func ParseTime(text string) (at time.Time, ok bool) {
	text = strings.TrimSpace(text)
	for _, layout := range []string{
		time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
	} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), true
		}
	}
	return time.Time{}, false
}

// maxLength bounds lengths: about a hundred years.
const maxLength = 36_525

const day = 24 * time.Hour

// ParseLength reads a length of days or weeks: 10d, 2w, "10 days", "2 weeks".
func ParseLength(text string) (length time.Duration, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz ")
	n, err := strconv.Atoi(digits)
	// A longer duration would overflow.
	if err != nil || n < 1 || n > maxLength {
		return 0, false
	}
	switch strings.TrimSpace(text[len(digits):]) {
	case "d", "day", "days":
		return time.Duration(n) * day, true
	case "w", "week", "weeks":
		if n*7 > maxLength {
			return 0, false
		}
		return time.Duration(n) * 7 * day, true
	}
	return 0, false
}
