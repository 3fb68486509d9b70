package briefing

import (
	"fmt"
	"strings"

	"chant/engine/criteria"
	"chant/engine/spec"
)

// Bounds of what an attempt is told of the one before it.
const (
	failuresNoted = 3    // commands whose output is quoted
	tailNoted     = 2000 // bytes of the end of each output
)

// lastReason is why the last attempt failed, "" when none has.
func (b *Briefing) lastReason() string {
	last := b.History.Last()
	switch {
	case last == nil || last.Gone:
		return ""
	case last.Reason != "":
		return last.Reason
	case !last.Closed:
		return "it was interrupted"
	}
	return ""
}

// attemptNote tells a further attempt what became of the last one, as an entry of a list.
func (b *Briefing) attemptNote() string {
	reason := b.lastReason()
	if reason == "" {
		return ""
	}
	last := b.History.Last()
	switch {
	case last.Reason == "":
		return "- The last attempt was interrupted. What it left is committed on this branch.\n"
	case last.Code == spec.ReasonStopped:
		return "- The last attempt was stopped by a person. What it left is committed on this branch.\n"
	}
	return fmt.Sprintf("- The last attempt failed: %s. What it committed is on this branch.\n", reason) + spellFailures(last.Report.Criteria)
}

// spellFailures quotes the end of what failing commands have printed. It is quoted so
// that nothing in it reads as part of the prompt.
func spellFailures(verdicts []criteria.Verdict) string {
	var b strings.Builder
	noted := 0
	for _, v := range verdicts {
		for _, e := range v.Evidence {
			if v.Holds || e.ExitCode == 0 && !e.TimedOut || noted == failuresNoted {
				continue
			}
			noted++
			fmt.Fprintf(&b, "  - `%s` %s", e.Command, ended(e))
			tail := lastBytes(e.Tail, tailNoted)
			if strings.TrimSpace(tail) == "" {
				b.WriteString(" and printed nothing.\n")
				continue
			}
			b.WriteString(" and printed last:\n\n")
			for line := range strings.Lines(spec.Fenced("", tail) + "\n") {
				b.WriteString("    " + line)
			}
		}
	}
	return b.String()
}

// ended says how a command came to its end.
func ended(e criteria.Evidence) string {
	if e.TimedOut {
		return "ran out of time"
	}
	return fmt.Sprintf("ended with exit %d", e.ExitCode)
}

// lastBytes is the end of a text, beginning with a whole line where it is cut.
func lastBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[len(text)-limit:]
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		return rest
	}
	return strings.ToValidUTF8(text, "")
}
