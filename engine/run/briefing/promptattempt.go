package briefing

import (
	"fmt"
	"strings"

	"chant/engine/evidence/criteria"
	"chant/engine/spec"
)

// Bounds of what the prompt says about the attempt before.
const (
	failuresNoted = 3    // failing commands whose output is quoted
	tailNoted     = 2000 // bytes of the end of each output
)

// lastReason returns why the last attempt failed, "" if it did not fail.
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

// attemptNote describes the result of the last attempt for the next one, as an entry of a list.
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

// spellFailures quotes the end of the output of failing commands. It is quoted so that nothing in it reads as part of
// the prompt.
func spellFailures(verdicts []criteria.Verdict) string {
	var b strings.Builder
	noted := 0
	for _, v := range verdicts {
		for _, e := range v.Evidence {
			if v.Holds || e.ExitCode == 0 && !e.TimedOut || noted == failuresNoted {
				continue
			}
			noted++
			fmt.Fprintf(&b, "  - `%s` %s", e.Command, describeEnd(e))
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

// describeEnd describes how a command ended.
func describeEnd(e criteria.Evidence) string {
	if e.TimedOut {
		return "ran out of time"
	}
	return fmt.Sprintf("ended with exit %d", e.ExitCode)
}

// lastBytes returns the end of a text; if it is cut, it begins with a whole line.
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
