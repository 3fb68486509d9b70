package task

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The kinds of effort.
const (
	InHours  = "hours"
	InPoints = "points"
)

// Effort is how much work a task is: hours or points.
type Effort struct {
	Hours, Points float64
	Kind          string // InHours, InPoints, or "" for none
}

// String returns the form in which an effort is stored: "16.00h" or "3pt".
func (e Effort) String() string {
	switch e.Kind {
	case InHours:
		return strconv.FormatFloat(e.Hours, 'f', 2, 64) + "h"
	case InPoints:
		return strconv.FormatFloat(e.Points, 'f', -1, 64) + "pt"
	}
	return ""
}

// maxEffort limits the sum of an effort, in hours or points.
const maxEffort = 1e6

// ParseEffort reads an effort: times such as "90m", "1d 2h" and "2 weeks", where a day has 8 hours and a week 40, or
// points such as "3", "3pt" and "5 points". It refuses a mixture of both, and negative numbers.
func ParseEffort(text string) (Effort, error) {
	rest := strings.ToLower(strings.TrimSpace(text))
	if rest == "" {
		return Effort{}, errors.New("an effort cannot be empty")
	}
	var sum Effort
	for rest != "" {
		var number float64
		var unit string
		var ok bool
		if number, unit, rest, ok = cutAmount(rest); !ok {
			return Effort{}, fmt.Errorf("invalid effort %q (use 90m, 2h, 1d 4h, 1w or 3pt)", text)
		}
		hours, kind, ok := measure(unit)
		switch {
		case !ok:
			return Effort{}, fmt.Errorf("unknown unit %q in effort %q (use m, h, d, w or pt)", unit, text)
		case sum.Kind != "" && sum.Kind != kind:
			// Points have no length, so there is no sum of both.
			return Effort{}, fmt.Errorf("effort %q mixes time and points", text)
		}
		sum.Kind = kind
		sum.Hours += number * hours
		if kind == InPoints {
			sum.Points += number
		}
	}
	if sum.Hours > maxEffort || sum.Points > maxEffort {
		return Effort{}, fmt.Errorf("effort %q is too large", text)
	}
	return sum, nil
}

// cutAmount cuts a number and its unit from the start of a text.
func cutAmount(text string) (number float64, unit, rest string, ok bool) {
	end := 0
	for end < len(text) && (isDigit(text[end]) || text[end] == '.') {
		end++
	}
	number, err := strconv.ParseFloat(text[:end], 64)
	if err != nil {
		return 0, "", "", false
	}
	rest = strings.TrimLeft(text[end:], " \t")
	end = 0
	for end < len(rest) && rest[end] >= 'a' && rest[end] <= 'z' {
		end++
	}
	unit, rest = rest[:end], rest[end:]
	rest = strings.TrimLeft(rest, " \t")
	return number, unit, rest, true
}

// measure returns how many hours a unit has, or that it counts points.
func measure(unit string) (hours float64, kind string, ok bool) {
	switch unit {
	case "m", "min", "mins", "minute", "minutes":
		return 1.0 / 60, InHours, true
	case "h", "hr", "hrs", "hour", "hours":
		return 1, InHours, true
	case "d", "day", "days":
		return 8, InHours, true
	case "w", "wk", "wks", "week", "weeks":
		return 40, InHours, true
	case "", "p", "pt", "pts", "point", "points":
		return 0, InPoints, true
	}
	return 0, "", false
}
