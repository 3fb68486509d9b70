package console

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console/screen"
	"chant/engine/evidence/criteria"
	"chant/engine/verify"
)

// EditedMark says that evidence was changed after it was recorded, "" where it was not.
func EditedMark(r *verify.RecordedEvidence) string {
	if r.Edited {
		return " (edited by hand since: its seal does not match)"
	}
	return ""
}

// lastLines is how many lines of a command are shown where it failed; the log and the evidence have more.
const lastLines = 10

// RenderVerdicts prints a line for each criterion, and for one that does not hold why, with the last lines that its command
// printed.
func RenderVerdicts(w io.Writer, verdicts []criteria.Verdict) {
	for _, v := range verdicts {
		if v.Holds {
			fmt.Fprintf(w, "ok    %s%s\n", v.Text, verdictNotes(v))
			continue
		}
		fmt.Fprintf(w, "FAIL  %s\n      %s\n", v.Text, v.WhyBeside())
		if n := len(v.Evidence); n > 0 && v.Evidence[n-1].Tail != "" {
			lines := strings.Split(strings.TrimSpace(v.Evidence[n-1].Tail), "\n")
			if before := len(lines) - lastLines; before > 0 {
				lines = append([]string{"…"}, lines[before:]...)
			}
			fmt.Fprintf(w, "      %s\n", strings.Join(lines, "\n      "))
		}
	}
}

// verdictNotes returns notes on a verdict that holds.
func verdictNotes(v criteria.Verdict) string {
	var notes []string
	switch proof := v.ProofText(); {
	case v.Flaky:
		notes = append(notes, "flaky: it passed after it had failed")
	case proof != "":
		notes = append(notes, proof)
	case v.How == criteria.ByAgent:
		notes = append(notes, "judged by an agent")
	case v.How == criteria.ByBox:
		notes = append(notes, "claimed by its box")
	}
	if n := len(v.Evidence); n > 0 && v.Evidence[n-1].Cached {
		notes = append(notes, "as before on this tree")
	}
	if len(notes) == 0 {
		return ""
	}
	return "  (" + strings.Join(notes, ", ") + ")"
}

// RenderSurvivor prints a wrong version that no criterion notices, each line after an indent.
func RenderSurvivor(w io.Writer, s criteria.Survivor, on Canvas, indent string) {
	fmt.Fprint(w, indent, s.Place())
	if s.Spec != "" {
		fmt.Fprintf(w, " (spec %s)", s.Spec)
	}
	fmt.Fprintln(w)
	for _, line := range s.Lines() {
		style := screen.Green
		if strings.HasPrefix(line, "-") {
			style = screen.Red
		}
		fmt.Fprintf(w, "%s  %s\n", indent, on.Paint(style, line))
	}
}
