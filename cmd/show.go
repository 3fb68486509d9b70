package cmd

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/cmd/console/screen"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/view"
	"chant/text"

	"github.com/spf13/cobra"
)

func newShow(a *console.App) *cobra.Command {
	var in view.ShowInput
	plain := false
	c := &cobra.Command{
		Use:     "show ID",
		Short:   "Show a spec in detail, its criteria and its attempts",
		Example: "chant show 001\nchant show 2026-01-22-001-x7m --json",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			// Only programs are shown when it was created and what it cost.
			in.ID, in.Details = args[0], a.JSON
			on := a.Canvas()
			return console.Do(a, c, view.Show, in, func(w io.Writer, r view.ShowResult) { renderShow(w, r, on, plain) })
		},
	}
	c.Flags().BoolVar(&plain, "no-render", false, "print the text of the spec as it is written")
	return c
}

// renderShow prints a spec; plain leaves its text as it is in the file.
func renderShow(w io.Writer, r view.ShowResult, on console.Canvas, plain bool) {
	r.RetryAt = on.Time(r.RetryAt)
	state := stateOf(r.Row)
	fmt.Fprintf(w, "%s  %s\n%s\n", on.Paint(screen.Dim, r.ID), on.Paint(screen.StatusStyle(state), state), on.Paint(screen.Bold, titleOf(r.Row)))
	for _, f := range []struct{ name, value string }{
		{"type", r.Type}, {"path", r.Path}, {"source", r.Fields.Source}, {"part", strings.Join(r.Fields.Part, ", ")}, {"branch", r.Branch}, {"machine", r.Node}, {"depends on", strings.Join(r.DependsOn, ", ")},
		{"labels", strings.Join(r.Labels, ", ")}, {"target files", strings.Join(r.Fields.TargetFiles, ", ")},
		{"runs on", strings.Join(r.Fields.RunsOn, ", ")}, {"members", strings.Join(r.Members, ", ")}, {"model", r.Fields.Model}, {"completed", on.Time(r.Fields.CompletedAt)},
		{"task", string(r.Fields.Task)}, {"priority", string(r.Fields.Priority)}, {"assignee", string(r.Fields.Assignee)}, {"reporter", string(r.Fields.Reporter)},
		{"due", string(r.Fields.DueDate)}, {"effort", string(r.Fields.Effort)}, {"sprints", sprintsText(r.Fields.Sprints)},
		{"commits", strings.Join(r.Fields.Commits, ", ")}, {"reason", reasonText(r)}, {"approval", approvalText(r.Fields.Approval, on)},
	} {
		if f.value != "" {
			fmt.Fprintf(w, "  %-12s %s\n", f.name, f.value)
		}
	}
	for _, b := range r.Waits {
		fmt.Fprintf(w, "  %-12s %s\n", "waits for", b.Reason(r.ID))
	}
	if r.Queue != nil {
		fmt.Fprintf(w, "  %-12s %s: %s\n", "queue", r.Queue.Why(), next.Queue.On())
	}
	for _, at := range r.Attempts {
		fmt.Fprintf(w, "  %-12s %s\n", fmt.Sprintf("attempt %d", at.Number), attemptText(at, on))
	}
	for _, q := range r.Questions {
		fmt.Fprintf(w, "  %-12s %s\n", fmt.Sprintf("question %d", q.Number), questionText(string(q.State), q.Prompt, q.Answer))
	}
	if r.Usage != nil {
		fmt.Fprintf(w, "  %-12s %s\n", "used", usageText(*r.Usage))
	}
	renderEvidence(w, r)
	body := strings.TrimLeft(r.Shown, "\r\n")
	if !plain {
		body = on.Markdown(body)
	}
	fmt.Fprintf(w, "\n%s", body)
	renderHeldOut(w, r)
	renderSource(w, r.Criteria)
	for i, c := range r.Notes.Comments {
		fmt.Fprintf(w, "\n[%d] %s %s\n%s\n", i, c.Date, c.Author, c.Text)
	}
	// The text has the others.
	for _, c := range r.AtHome {
		fmt.Fprintf(w, "\n%s %s %s\n%s\n", on.Paint(screen.Yellow, "review"), on.At(c.At), text.Quote(strings.TrimSpace(c.By+" "+c.Place())), c.Text)
	}
	renderFailed(w, r.Failed)
}

// questionText is a question with its answer in one line.
func questionText(state, prompt, answer string) string {
	out := text.OneLine(prompt)
	if answer != "" {
		return out + " — answered: " + text.OneLine(answer)
	}
	return out + " (" + state + ")"
}

// renderSource prints the criteria of the folder that a spec adopts, after the file that they are in.
func renderSource(w io.Writer, all []view.ShownCriterion) {
	file := ""
	for _, c := range all {
		if c.File == "" {
			continue
		}
		if c.File != file {
			file = c.File
			fmt.Fprintf(w, "\n%s\n", text.Quote(file))
		}
		fmt.Fprintf(w, "  %3d. %s %s\n", c.Number, criteria.Box(c.Criterion), text.Quote(c.Text))
	}
}

// renderHeldOut prints the criteria that agents do not see.
func renderHeldOut(w io.Writer, r view.ShowResult) {
	if len(r.HeldOut) == 0 && r.Sealed == "" {
		return
	}
	fmt.Fprintf(w, "\n%s\n", spec.HeldOutHeading)
	if r.Sealed != "" {
		fmt.Fprintf(w, "  %s\n", r.Sealed)
	}
	for _, c := range r.HeldOut {
		fmt.Fprintf(w, "  %3d. %s", c.Index, text.Quote(cmp.Or(c.Text, fmt.Sprintf("held-out criterion %d", c.Index))))
		for _, more := range []string{c.Verdict, strings.ReplaceAll(string(c.Proof), "_", "-")} {
			if more != "" {
				fmt.Fprintf(w, ", %s", more)
			}
		}
		if c.Readable != "" {
			fmt.Fprintf(w, ", readable: commit %.7s", c.Readable)
		}
		fmt.Fprintln(w)
	}
}

// renderEvidence prints what the completion of a spec rests on.
func renderEvidence(w io.Writer, r view.ShowResult) {
	ev := r.Evidence
	switch {
	case ev != nil && ev.Status == criteria.Nothing || ev == nil && r.Fields.Verification == string(criteria.Nothing):
		fmt.Fprintf(w, "  %-12s %s\n", "verified", criteria.Nothing)
		return
	case ev == nil:
		return
	}
	fmt.Fprintf(w, "  %-12s %s on %s, beside commit %.7s%s%s\n", "verified", ev.StatusText(), text.LocalTime(ev.At), ev.Commit, console.EditedMark(ev), ev.Signature.AfterComma())
	for _, v := range ev.Criteria {
		proof := ""
		if v.ProofText() != "" {
			proof = ", " + v.ProofText()
		}
		for _, one := range v.Evidence {
			fmt.Fprintf(w, "    %-10s %s, output %.12s%s\n", "$ "+one.Command, one.Result(), one.SHA256, proof)
		}
	}
	if ev.Readable != "" {
		fmt.Fprintf(w, "    %-10s held-out criteria are readable: commit %.7s\n", "NOTE", ev.Readable)
	}
	for _, one := range ev.Weakened {
		fmt.Fprintf(w, "    %-10s %s\n", "weakened", one)
	}
	for _, one := range r.Reworded {
		fmt.Fprintf(w, "    %-10s %s\n", "since then", one)
	}
	if len(r.Reworded) > 0 {
		fmt.Fprintf(w, "    %-10s %s\n", "renew", next.Verify.On(r.ID))
	}
	if r.Strength != nil {
		fmt.Fprintf(w, "    %-10s %s%s\n", "strength", r.Strength.Words(), survivorsText(r))
	}
}

// survivorsText names where the wrong versions are shown that no criterion notices.
func survivorsText(r view.ShowResult) string {
	n := r.Strength.LeftOut + len(r.Strength.Open())
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s: chant review %s", console.Plural(n, "survivor"), r.ID)
}

// sprintsText lists the sprints of a spec.
func sprintsText(sprints []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(sprints), " ", ", "), "[]")
}

// reasonText is the reason of a spec's status, "" where that is why its last attempt ended: its line says so, with when.
func reasonText(r view.ShowResult) string {
	if n := len(r.Attempts); n > 0 && r.Fields.Reason != "" && strings.HasPrefix(r.Attempts[n-1].Reason, r.Fields.Reason) {
		return ""
	}
	return r.Fields.Reason
}

func attemptText(at view.AttemptView, on console.Canvas) string {
	out := on.At(at.Opened)
	if at.Provider != "" {
		out += ", " + at.Provider
	}
	if !at.Closed {
		return out + ", open at step " + string(at.Last)
	}
	if at.Reason != "" {
		return out + ", " + at.Reason
	}
	return out + ", ended well"
}

// approvalText summarizes the decisions of people in a line, "" without any.
func approvalText(a *spec.Approval, on console.Canvas) string {
	if a == nil || a.Status != spec.Approved && a.Status != spec.Rejected {
		return ""
	}
	out := a.Status
	if a.Work != "" {
		out = "work " + out
	}
	if a.By != "" {
		out += " by " + a.By
	}
	if a.At != "" {
		out += ", " + on.Time(a.At)
	}
	return out
}
