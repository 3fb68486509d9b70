package board

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/cmd/tui/prose"
	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/view"
	"chant/engine/view/overview"
	"chant/engine/view/picture"
	"chant/text"
)

// readDocument reads what a tab shows of a spec.
func readDocument(ctx context.Context, desk Desk, id string, t tab) (document, error) {
	switch t {
	case tabText:
		return documentOf(desk.Show(ctx, id))(drawText)
	case tabCriteria:
		return documentOf(desk.Show(ctx, id))(drawCriteria)
	case tabLog:
		r, err := desk.Log(ctx, id)
		// A spec that was never worked has no log, which is no error here.
		if e, ok := errors.AsType[*engine.Error](err); ok && e.Code == engine.NotFound {
			return func(int) ([]string, []int) { return []string{prose.Faint.Paint("no agent has worked on it here")}, nil }, nil
		}
		return documentOf(r, err)(drawLog)
	case tabDiff:
		return documentOf(desk.Diff(ctx, id))(drawDiff)
	case tabHistory:
		return documentOf(desk.History(ctx, id))(drawHistory)
	}
	r, err := desk.Graph(ctx, id)
	return documentOf(r, err)(func(r overview.DagResult, width int) ([]string, []int) { return drawGraph(r, id, width), nil })
}

// documentOf joins a result with the function that draws it.
func documentOf[R any](r R, err error) func(draw func(R, int) ([]string, []int)) (document, error) {
	return func(draw func(R, int) ([]string, []int)) (document, error) {
		if err != nil {
			return nil, err
		}
		return func(width int) ([]string, []int) { return draw(r, width) }, nil
	}
}

// drawText draws the facts of a spec, and its text as Markdown.
func drawText(r view.ShowResult, width int) ([]string, []int) {
	var lines []string
	for _, f := range [][2]string{
		{"path", r.Path}, {"branch", r.Branch}, {"labels", strings.Join(r.Labels, ", ")}, {"depends on", strings.Join(r.DependsOn, ", ")},
		{"members", strings.Join(r.Members, ", ")}, {"reason", r.Fields.Reason},
	} {
		if f[1] != "" {
			lines = append(lines, hangingIndent(prose.Faint.Paint(fmt.Sprintf("%-12s", f[0])), f[1], width)...)
		}
	}
	for _, b := range r.Waits {
		lines = append(lines, hangingIndent(prose.Faint.Paint(fmt.Sprintf("%-12s", "waits for")), b.Reason(r.ID), width)...)
	}
	for _, q := range r.Questions {
		lines = append(lines, hangingIndent(prose.Yellow.Paint(fmt.Sprintf("%-12s", fmt.Sprintf("question %d", q.Number))), q.Prompt+answerOf(q.Answer), width)...)
	}
	if r.Usage != nil {
		lines = append(lines, hangingIndent(prose.Faint.Paint(fmt.Sprintf("%-12s", "used")), usageOf(r), width)...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	lines = append(lines, prose.Render([]byte(r.Shown), min(width, maxProse))...)
	// The text has the others.
	for _, c := range r.AtHome {
		head := cmp.Or(c.By, "a comment")
		if c.File != "" {
			head += ", " + c.Place()
		}
		lines = append(lines, "")
		lines = append(lines, hangingIndent(prose.Yellow.Paint(prose.Clean(head)+":"), c.Text, width)...)
	}
	return lines, nil
}

// maxProse is the width beyond which lines of prose are hard to read.
const maxProse = 100

func answerOf(answer string) string {
	if answer == "" {
		return " (open)"
	}
	return " — answered: " + answer
}

func usageOf(r view.ShowResult) string {
	out := fmt.Sprintf("%d agents", r.Usage.Agents)
	if r.Usage.Agents == 1 {
		out = "1 agent"
	}
	if cost := r.Usage.CostUSD; cost != nil {
		out += fmt.Sprintf(", $%.2f", *cost)
	}
	return out
}

// hangingIndent draws a text behind a label, with its further lines below the first.
func hangingIndent(label, raw string, width int) []string {
	at := prose.Width(label) + 1
	var out []string
	for i, piece := range prose.Wrap(prose.Clean(raw), max(10, width-at)) {
		if i == 0 {
			out = append(out, label+" "+piece)
		} else {
			out = append(out, strings.Repeat(" ", at)+piece)
		}
	}
	return out
}

// drawCriteria draws each criterion with its box, its evidence, and what failed.
func drawCriteria(r view.ShowResult, width int) ([]string, []int) {
	var lines []string
	for _, c := range r.Criteria {
		style := prose.Faint
		switch {
		case c.Failed:
			style = prose.Red
		case c.Checked:
			style = prose.Green
		}
		words := c.Text
		if proof := (criteria.Verdict{Proof: c.Proof}).ProofText(); proof != "" {
			words += " (" + proof + ")"
		}
		lines = append(lines, hangingIndent(style.Paint(criteria.Box(c.Criterion)), words, width)...)
	}
	if len(r.Criteria) == 0 {
		lines = append(lines, prose.Faint.Paint("it has no criteria"))
	}
	for _, a := range r.Attempts {
		last := fmt.Sprintf("attempt %d  %s  %s", a.Number, text.LocalTime(a.Opened), a.Provider)
		if a.Reason != "" {
			last += ": " + a.Reason
		}
		lines = append(lines, "")
		lines = append(lines, hangingIndent(prose.Bold.Paint("•"), last, width)...)
	}
	for _, f := range r.Failed {
		lines = append(lines, "")
		lines = append(lines, hangingIndent(prose.Red.Paint("✗"), f.Of+" printed:", width)...)
		for _, l := range f.Lines {
			lines = append(lines, indented(l, width)...)
		}
	}
	if r.Evidence == nil {
		return lines, nil
	}
	lines = append(lines, "")
	lines = append(lines, hangingIndent(prose.Bold.Paint("•"), fmt.Sprintf("evidence of %s, beside commit %.7s: %s", text.LocalTime(r.Evidence.At), r.Evidence.Commit, r.Evidence.Status), width)...)
	for _, v := range r.Evidence.Criteria {
		mark, note := prose.Green.Paint("✓"), ""
		if !v.Holds {
			mark, note = prose.Red.Paint("✗"), ": "+v.Why
		}
		lines = append(lines, hangingIndent("  "+mark, v.Text+note, width)...)
		for _, e := range v.Evidence {
			lines = append(lines, hangingIndent("     ", "$ "+e.Command+"  "+e.Result(), width)...)
		}
	}
	return append(lines, drawStrength(r.Strength, width)...), nil
}

// drawStrength draws how many wrong versions of the work the criteria notice, and those that they do not.
func drawStrength(s *criteria.Strength, width int) (lines []string) {
	if s == nil {
		return nil
	}
	lines = append([]string{""}, hangingIndent(prose.Bold.Paint("•"), "strength: "+s.Words(), width)...)
	for _, one := range s.Open() {
		lines = append(lines, hangingIndent("  "+prose.Yellow.Paint("?"), "not noticed: "+one.Place(), width)...)
		lines = append(lines, indented(strings.Join(one.Lines(), "\n"), width)...)
	}
	return lines
}

func indented(raw string, width int) []string {
	var out []string
	for _, line := range prose.Lines(raw) {
		for _, piece := range prose.Break(line, max(10, width-4)) {
			out = append(out, "    "+piece)
		}
	}
	return out
}

// drawLog draws the lines of a log, with the times faint.
func drawLog(r view.LogResult, width int) ([]string, []int) {
	var out []string
	for _, line := range prose.Lines(r.Content) {
		stamp, rest, found := strings.Cut(line, " ")
		// A line that an agent wrote may have no time.
		if !found || len(stamp) < len("2006-01-02T15:04:05Z") || stamp[4] != '-' || stamp[10] != 'T' {
			stamp, rest = "", line
		} else {
			stamp = stamp[11:19]
		}
		if stamp == "" {
			out = append(out, prose.Break(rest, width)...)
			continue
		}
		out = append(out, hangingIndent(prose.Faint.Paint(stamp), rest, width)...)
	}
	return out, nil
}

// drawHistory draws who did what and when, newest first.
func drawHistory(r overview.ActivityResult, width int) ([]string, []int) {
	var out []string
	for _, e := range r.Entries {
		what := fmt.Sprintf("%-9s %s  %.7s %s", e.Event, e.Who(), e.Commit, e.Subject)
		out = append(out, hangingIndent(prose.Faint.Paint(text.LocalTime(e.At)), what, width)...)
	}
	if len(out) == 0 {
		out = []string{prose.Faint.Paint("no commit has it yet")}
	}
	return out, nil
}

// drawGraph draws what a spec needs and what needs it.
func drawGraph(r overview.DagResult, id string, width int) []string {
	lines := r.Lines(max(2, min(16, width/12)), picture.Unicode())
	lanes, ids, states := 0, 0, 0
	for _, l := range lines {
		lanes, ids, states = max(lanes, prose.Width(l.Lanes)), max(ids, prose.Width(prose.Clean(l.Spec.ID))), max(states, len(l.Spec.State()))
	}
	var out []string
	for _, l := range lines {
		title := prose.Clean(l.Spec.Title)
		if len(l.Needs) > 0 {
			title += " (needs " + strings.Join(l.Needs, ", ") + ")"
		}
		line := fmt.Sprintf("%s  %s  %-*s  %s", prose.Fill(l.Lanes, lanes), prose.Fill(prose.Clean(l.Spec.ID), ids), states, l.Spec.State(), title)
		if line = prose.Fit(line, width); l.Spec.ID == id {
			line = prose.Bold.Paint(line)
		}
		out = append(out, line)
	}
	for _, c := range r.Cycles {
		out = append(out, hangingIndent(prose.Red.Paint("cycle"), strings.Join(c, " -> "), width)...)
	}
	for _, gone := range r.Missing {
		out = append(out, hangingIndent(prose.Red.Paint("missing"), gone, width)...)
	}
	return out
}
