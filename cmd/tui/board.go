package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine"

	"charm.land/lipgloss/v2"
)

const (
	maxHeight   = 12 // lines of a frame
	maxLines    = 5  // of progress text below the step under way
	maxWarnings = 3  // that outlive their step
)

// board is the part of the events so far that the view shows. Its size is bounded
// whatever arrives: a step opens one row at most, and of texts only the last
// lines are kept. The zero value is an empty board.
type board struct {
	id       string // the spec whose run this is
	steps    []step // the last one is under way
	lines    []line
	warnings []string
	asks     inquiries
	use      string // what its agent has used so far, "" if that is not known
}

// step is a row of the board.
type step struct {
	name       string
	begin, end time.Time // end is zero while it is under way
}

// line is one line of progress text, fit for a terminal.
type line struct {
	kind string
	text string
}

// add takes in an event that arrived now. The time of arrival counts, not that
// of the event, so that one clock measures all that is shown.
func (b *board) add(ev engine.Event, now time.Time) {
	if ev.ID != b.id {
		// Another run begins, but warnings and questions stay with the person.
		*b = board{id: ev.ID, warnings: b.warnings, asks: b.asks}
	}
	if b.asks.handle(ev) {
		return
	}
	if b.opens(ev.Step.Word()) {
		b.end(now)
		b.steps = append(b.steps, step{name: ev.Step.Word(), begin: now})
		b.lines = nil
	}
	b.addText(ev.Kind, ev.Text)
}

// opens reports whether an event of a step begins a new row.
func (b *board) opens(name string) bool {
	if name == "" {
		return false
	}
	// Landing runs the criteria again and reports them as those of an earlier step; the run has not gone back for that.
	return len(b.steps) == 0 || rank(name) > rank(b.steps[len(b.steps)-1].name)
}

// rank is a step's place in a run. What this version does not know comes last.
func rank(name string) int {
	order := []string{"open", "branch", "worktree", "setup", "prompt", "agent", "commit", "verify", "complete", "land", "clean"}
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}

// addText adds the last lines of a text.
func (b *board) addText(kind, text string) {
	switch kind {
	// What a tool returned is bulk for the agent, not for a person.
	case "result":
		return
	case "usage":
		b.use = strings.Join(lastLines(text, 1), "")
		return
	}
	for _, t := range lastLines(text, maxLines) {
		if kind == "command" {
			t = "$ " + t
		}
		b.lines = keepLast(append(b.lines, line{kind, t}), maxLines)
		if kind == "warning" {
			b.warnings = keepLast(append(b.warnings, t), maxWarnings)
		}
	}
}

// end closes the step under way.
func (b *board) end(now time.Time) {
	if n := len(b.steps); n > 0 && b.steps[n-1].end.IsZero() {
		b.steps[n-1].end = now
	}
}

func (b *board) scene() scene { return b.snapshot() }

// snapshot is a copy that later events do not touch.
func (b *board) snapshot() board {
	return board{b.id, slices.Clone(b.steps), slices.Clone(b.lines), slices.Clone(b.warnings), b.asks.clone(), b.use}
}

// openQuestions lists the questions that wait for a person.
func (b board) openQuestions() inquiries { return b.asks }

// elapsed returns the duration of a step, up to now if it has not ended.
func (s step) elapsed(now time.Time) time.Duration {
	if !s.end.IsZero() {
		now = s.end
	}
	return max(0, now.Sub(s.begin)).Truncate(time.Second)
}

// keepLast is the end of list, n items at most.
func keepLast[T any](list []T, n int) []T {
	return list[max(0, len(list)-max(0, n)):]
}

// above is empty: everything about one run is in its frame.
func (b board) newEnds(model) ([]string, int) { return nil, 0 }

// rows lays out at most limit lines. Steps come first, the latest before the
// earlier ones; what is said gets the room they leave.
func (b board) rows(m model, limit int) []string {
	limit = min(limit, maxHeight)
	var foot []string
	switch {
	case m.ended:
		for _, w := range b.warnings {
			foot = append(foot, m.row(warningStyle(), "!", w))
		}
	case m.isStopping() && limit > 1:
		foot = append(foot, m.row(warningStyle(), "■", "stopping"))
	case limit > len(b.steps)+1:
		if hint := strings.Trim(b.use+" · "+m.keys(), " ·"); hint != "" {
			foot = append(foot, m.row(textStyle(), " ", hint))
		}
	}
	var rows []string
	if m.title != "" && limit > 2 {
		rows = append(rows, lipgloss.NewStyle().Bold(true).Render(fit(shortID(b.id)+"  "+m.title, m.width)))
	}
	// The latest steps come first when room is scarce.
	steps := keepLast(b.steps, max(1, limit-len(foot)-len(rows)))
	for i, s := range steps {
		rows = append(rows, s.row(m, i == len(steps)-1))
	}
	if !m.ended && m.width > 2 {
		for _, l := range keepLast(b.lines, limit-len(rows)-len(foot)) {
			rows = append(rows, l.row(m))
		}
	}
	return append(rows, keepLast(foot, limit-len(rows))...)
}

// row draws a step; the last one is under way or where work has ended.
func (s step) row(m model, last bool) string {
	text := fmt.Sprintf("%-8s %5s", s.name, s.elapsed(m.now))
	switch {
	case last && m.failed:
		return m.row(failedStyle(), "✗", text)
	case last && !m.ended:
		return m.row(currentStyle(), spinner(m.frame), text)
	}
	return m.row(doneStyle(), "✓", text)
}

// row draws a line of progress text, indented below its step.
func (l line) row(m model) string {
	style := textStyle()
	if l.kind == "warning" {
		style = warningStyle()
	}
	return "  " + style.Render(fit(l.text, m.width-2))
}
