package engine

import (
	"time"

	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/text"
)

// ReadTime reads a time that was named in any form of text.ParseTime, such as 90m, 2 days ago, yesterday, 2026-11-01 or a time
// of RFC 3339; "" is the zero time. Error: Usage, with the step.
func ReadTime(p *Project, given string, step next.Step) (time.Time, error) {
	if given == "" {
		return time.Time{}, nil
	}
	at, err := text.ParseTime(given, p.Now())
	if err != nil {
		return time.Time{}, Fail(Usage, step, "invalid time %q (use %s)", spec.Echo(given), text.AllowedTimes)
	}
	return at, nil
}

// ReadEnd is ReadTime for the end of a span: it returns the last second that belongs to it, which of a day is that before the
// next.
func ReadEnd(p *Project, given string, step next.Step) (time.Time, error) {
	at, err := ReadTime(p, given, step)
	if err == nil && text.IsDay(given) {
		at = at.AddDate(0, 0, 1).Add(-time.Second)
	}
	return at, err
}
