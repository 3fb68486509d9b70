package providers

import (
	"cmp"
	"fmt"
	"time"
)

// Outcome is a run's end. OK is false whenever TimedOut, Silent, Overdrawn, Unanswered, Refused or
// Canceled is true, whatever the decoder saw.
type Outcome struct {
	Verdict
	Exit                       Exit
	Duration                   time.Duration
	TimedOut, Silent, Canceled bool
	Shared                     bool   // TimedOut by a limit that others use up too
	Overdrawn                  bool   // it met a limit of what it may use
	Unanswered                 bool   // it was stopped because the model's API has not answered for too long
	StderrTail                 string // at most 4 KiB, valid UTF-8, from a line's start
	Output                     bool   // whether any byte came, on stdout or stderr
}

// outcome lets a broken limit overrule the decoder's verdict.
func (e ending) outcome(v Verdict, lim Limits) Outcome {
	// Only one reason is reported; the caller's own stop explains all others.
	switch {
	case e.canceled:
		v.OK, v.Reason = false, "stopped"
	case e.timedOut:
		v.OK, v.Reason = false, cmp.Or(e.late, "time limit of "+formatDuration(lim.Timeout)+" reached")
	case e.silent:
		v.OK, v.Reason = false, "no output for "+formatDuration(lim.Silence)
	case e.overdrawn != "":
		v.OK, v.Reason = false, e.overdrawn
	case e.refused != "":
		v.OK, v.Refused, v.Reason = false, true, e.refused
	case e.unanswered != "":
		v.OK, v.Reason = false, fmt.Sprintf("the model's API has not answered for %s: %s", formatDuration(lim.Answer), e.unanswered)
	}
	return Outcome{
		Verdict:  v,
		Exit:     e.exit,
		TimedOut: e.timedOut,
		Shared:   e.late != "",
		Silent:   e.silent,
		Canceled: e.canceled,

		Overdrawn:  e.overdrawn != "",
		Unanswered: e.unanswered != "",
	}
}

// withHint calls out a failure without a single word from the agent: mostly a
// login prompt, or a network that never answered.
func (o Outcome) withHint() Outcome {
	if !o.OK && !o.Output {
		o.Reason += " (no output at all)"
	}
	return o
}

// formatDuration writes a duration the way people set limits: 60m, 90s.
func formatDuration(d time.Duration) string {
	switch {
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d >= time.Second && d%time.Second == 0:
		return fmt.Sprintf("%ds", d/time.Second)
	}
	return d.String()
}
