package reviews

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"chant/cmd/console"
	"chant/cmd/console/screen"
	"chant/engine/evidence/criteria"
	"chant/engine/spec/task"
	"chant/engine/view"
	"chant/text"
)

// step is one part of what a person looks at.
type step struct {
	title string
	about string // the file that a comment is about, "" for none
	print func(w io.Writer, on console.Canvas)
}

// isOpenWork reports whether work is completed on its branch and has not landed.
func isOpenWork(r view.WalkResult) bool {
	return r.Status == "completed" && r.Branch != "" && (r.Landed == nil || !*r.Landed)
}

// stepsOf lists the steps of a review, the files of chant after those of the project.
func stepsOf(r view.WalkResult) []step {
	steps := []step{
		{title: "summary", print: func(w io.Writer, on console.Canvas) { printSummary(w, r, on) }},
		{title: "criteria", print: func(w io.Writer, on console.Canvas) { printChecks(w, r, on) }},
	}
	if r.Work != nil {
		files := slices.Clone(r.Work.Files)
		slices.SortStableFunc(files, func(a, b view.FilePatch) int { return cmp.Compare(ofChant(a.Path), ofChant(b.Path)) })
		for i, f := range files {
			title := fmt.Sprintf("file %d of %d: %s", i+1, len(files), text.Quote(f.Path))
			steps = append(steps, step{title: title, about: f.Path, print: func(w io.Writer, on console.Canvas) { printFile(w, f, survivorsIn(r, f.Path), on) }})
		}
	}
	return append(steps, step{title: "protection", print: func(w io.Writer, on console.Canvas) { printProtection(w, r, on) }})
}

// ofChant is 1 for files of chant.
func ofChant(path string) int {
	if strings.HasPrefix(path, ".chant/") {
		return 1
	}
	return 0
}

// printAll prints all steps as text.
func printAll(w io.Writer, r view.WalkResult, on console.Canvas) {
	for i, s := range stepsOf(r) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, on.Paint(screen.Bold, "== "+s.title+" =="))
		s.print(w, on)
	}
}

// printSummary prints how a spec stands, what it has cost, and what was said about it.
func printSummary(w io.Writer, r view.WalkResult, on console.Canvas) {
	fmt.Fprintf(w, "%s  %s\n%s\n", on.Paint(screen.Dim, r.ID), on.Paint(screen.StatusStyle(string(r.Status)), stateOf(r)), on.Paint(screen.Bold, text.Quote(r.Title)))
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "  %-10s %s\n", name, value)
		}
	}
	line("branch", r.Branch)
	line("reason", r.Fields.Reason)
	for _, b := range r.Waits {
		line("waits for", b.Reason(r.ID))
	}
	for _, at := range r.Attempts {
		line(fmt.Sprintf("attempt %d", at.Number), attemptLine(at, on))
	}
	line("cost", costLine(r))
	if r.Work != nil {
		added, removed := 0, 0
		for _, f := range r.Work.Files {
			added, removed = added+f.Added, removed+f.Removed
		}
		line("work", fmt.Sprintf("%s, +%d -%d, from %.7s to %.7s", console.Plural(len(r.Work.Files), "file"), added, removed, r.Work.From, r.Work.To))
	} else {
		line("work", "none: "+r.NoWork)
	}
	printComments(w, r.Review, on)
}

func stateOf(r view.WalkResult) string {
	switch {
	case r.Archived:
		return string(r.Status) + " (archived)"
	case isOpenWork(r):
		return "completed (not landed)"
	}
	return string(r.Status)
}

func attemptLine(at view.AttemptView, on console.Canvas) string {
	out := on.At(at.Opened)
	if at.Provider != "" {
		out += ", " + at.Provider
	}
	switch {
	case !at.Closed:
		return out + ", at work: " + string(at.Last)
	case at.Reason != "":
		return out + ", " + at.Reason
	}
	return out + ", ended well"
}

// costLine says what the agents have used.
func costLine(r view.WalkResult) string {
	u := r.Usage
	if u == nil {
		return "no agent has worked on it here"
	}
	parts := []string{console.Plural(u.Agents, "agent"), time.Duration(u.Seconds * float64(time.Second)).Round(time.Second / 10).String()}
	if u.CostUSD != nil {
		parts = append(parts, fmt.Sprintf("$%.4f", *u.CostUSD))
	}
	if in := u.Input + u.CachedInput + u.CacheWrites; in+u.Output > 0 {
		parts = append(parts, text.Amount(in)+" tokens in, "+text.Amount(u.Output)+" out")
	}
	if u.CostUnknown > 0 {
		parts = append(parts, fmt.Sprintf("cost of %s unknown", console.Plural(u.CostUnknown, "agent")))
	}
	return strings.Join(parts, ", ")
}

// printComments prints what people have said before.
func printComments(w io.Writer, all []task.Comment, on console.Canvas) {
	for _, c := range all {
		head := cmp.Or(c.By, "unknown")
		if !c.At.IsZero() {
			head += ", " + on.At(c.At)
		}
		if c.File != "" {
			head += ", " + c.Place()
		}
		fmt.Fprintf(w, "\n%s\n", on.Paint(screen.Yellow, text.Quote(head)))
		for line := range strings.SplitSeq(c.Text, "\n") {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
}

// printChecks prints each criterion with its evidence, and the end of what failed.
func printChecks(w io.Writer, r view.WalkResult, on console.Canvas) {
	if len(r.Checks) == 0 {
		fmt.Fprintln(w, "it has no criteria, so nothing was verified")
	}
	for i, c := range r.Checks {
		mark, style := "-", screen.Dim
		switch {
		case c.Verdict != nil && c.Verdict.Holds:
			mark, style = "ok", screen.Green
		case c.Verdict != nil:
			mark, style = "FAIL", screen.Red
		case c.Ticked:
			mark = "[x]"
		}
		fmt.Fprintf(w, "%s  %d. %s\n", on.Paint(style, fmt.Sprintf("%-4s", mark)), i+1, text.Quote(c.Text))
		printEvidence(w, c, on)
	}
	if ev := r.Evidence; ev != nil {
		fmt.Fprintf(w, "\nevidence: %s, %s, beside commit %.7s%s%s\n", ev.StatusText(), on.At(ev.At), ev.Commit, console.EditedMark(ev), ev.Signature.AfterComma())
	}
	if r.Strength != nil {
		fmt.Fprintf(w, "\nstrength: %s\n", r.Strength.Words())
		for _, s := range r.Strength.Open() {
			fmt.Fprintf(w, "      not noticed: %s\n", s.Place())
		}
	}
	for _, f := range r.Failed {
		if f.Of != "the agent" {
			// It is with its criterion.
			continue
		}
		fmt.Fprintf(w, "\n%s printed last:\n", f.Of)
		for _, line := range f.Lines {
			fmt.Fprintf(w, "      %s\n", line)
		}
	}
}

// printEvidence prints what was run for a criterion.
func printEvidence(w io.Writer, c view.CheckedCriterion, on console.Canvas) {
	v := c.Verdict
	switch {
	case v == nil && c.Ticked:
		fmt.Fprintln(w, "      its box is ticked")
		return
	case v == nil:
		fmt.Fprintln(w, "      not checked yet")
		return
	case len(v.Evidence) == 0 && v.Holds:
		fmt.Fprintln(w, "      its box is ticked: that is the agent's word, no command was run")
	}
	for _, e := range v.Evidence {
		fmt.Fprintf(w, "      %s  %s\n", on.Paint(screen.Dim, "$ "+text.Quote(e.Command)), e.Result())
	}
	if v.Holds {
		if proof := v.ProofText(); proof != "" {
			fmt.Fprintf(w, "      %s\n", proof)
		}
		return
	}
	fmt.Fprintf(w, "      %s\n", on.Paint(screen.Red, v.Why))
	if n := len(v.Evidence); n > 0 {
		if tail := strings.TrimSpace(v.Evidence[n-1].Tail); tail != "" {
			fmt.Fprintf(w, "      %s\n", strings.ReplaceAll(tail, "\n", "\n      "))
		}
	}
}

// survivorsIn lists the wrong versions of a file that no criterion notices, nor that of a later spec.
func survivorsIn(r view.WalkResult, path string) (out []criteria.Survivor) {
	if r.Strength == nil {
		return nil
	}
	for _, s := range r.Strength.Open() {
		if s.File == path {
			out = append(out, s)
		}
	}
	return out
}

// printFile prints the change of one file, with the wrong versions that no criterion notices after the lines that they are
// about, or at the end.
func printFile(w io.Writer, f view.FilePatch, survivors []criteria.Survivor, on console.Canvas) {
	if f.Patch == "" {
		fmt.Fprintln(w, "the change is too large to show here; diff shows it")
	}
	patch := screen.Patch{On: on}
	for line := range strings.Lines(f.Patch) {
		fmt.Fprintln(w, patch.Line([]byte(strings.TrimRight(line, "\n"))))
		survivors = slices.DeleteFunc(survivors, func(s criteria.Survivor) bool {
			if s.Line != patch.Number() {
				return false
			}
			printSurvivor(w, s, on)
			return true
		})
	}
	for _, s := range survivors {
		printSurvivor(w, s, on)
	}
}

func printSurvivor(w io.Writer, s criteria.Survivor, on console.Canvas) {
	fmt.Fprintln(w, on.Paint(screen.Yellow, "    no criterion notices:"))
	console.RenderSurvivor(w, s, on, "    ")
}

// printProtection prints tampering, and what the work touches that protects how work is judged.
func printProtection(w io.Writer, r view.WalkResult, on console.Canvas) {
	found := false
	if r.Fields.ReasonCode == "tampered" {
		found = true
		fmt.Fprintf(w, "%s  %s\n", on.Paint(screen.Red, "tampering"), r.Fields.Reason)
	}
	for _, what := range r.Touched {
		found = true
		fmt.Fprintf(w, "%s  %s\n", on.Paint(screen.Yellow, "touched"), what)
	}
	for _, what := range r.Weakened {
		found = true
		fmt.Fprintf(w, "%s  %s\n", on.Paint(screen.Yellow, "weakened"), what)
	}
	if r.Uncompared != "" {
		found = true
		fmt.Fprintln(w, r.Uncompared)
	}
	for _, what := range r.Waived {
		found = true
		fmt.Fprintf(w, "%s\n", what)
	}
	if !found {
		fmt.Fprintln(w, "no tampering was found, no check is weakened, and no protected file, setting, other spec or file that other programs run is changed")
	}
}
