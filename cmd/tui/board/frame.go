package board

import (
	"fmt"
	"strings"

	"chant/cmd/tui/prose"
)

// Frame returns the lines of the terminal: as many as it has rows, none wider than it is.
func (m Model) Frame() []string {
	var lines []string
	switch {
	case m.help:
		lines = m.helpFrame()
	case m.open != nil:
		lines = append(m.openHead(), m.openBody()...)
	case m.showsColumns():
		lines = append(m.head(), m.columnsBody()...)
	default:
		lines = append(m.head(), m.listBody()...)
	}
	foot := m.foot()
	body := max(0, m.height-len(foot))
	lines = lines[:min(len(lines), body)]
	for len(lines) < body {
		lines = append(lines, "")
	}
	lines = append(lines, foot...)
	// On a very low terminal, the end matters most: it has what is asked.
	lines = lines[max(0, len(lines)-m.height):]
	for i, line := range lines {
		lines[i] = prose.Fit(line, m.width)
	}
	return lines
}

func joinLines(lines []string) string { return strings.Join(lines, "\n") }

// headRows is how many rows are above the cards.
func (m Model) headRows() int {
	if m.showsColumns() {
		return 3
	}
	return 2
}

// bodyRows is how many rows there are for cards or lines.
func (m Model) bodyRows() int { return max(1, m.height-m.headRowsNow()-len(m.foot())) }

func (m Model) headRowsNow() int {
	if m.open != nil {
		return 2
	}
	return m.headRows()
}

// pageRows is how many cards are visible below each other.
func (m Model) pageRows() int {
	rows := max(1, m.height-m.headRows()-len(m.foot()))
	if m.showsColumns() {
		return max(1, rows/cardRows)
	}
	return rows
}

// head draws the lines above the cards.
func (m Model) head() []string {
	title := prose.Bold.Paint("chant") + " " + prose.Clean(m.name)
	switch {
	case m.filtering:
		title += "  filter: " + prose.Clean(m.filter) + "▏"
	case m.filter != "":
		title += "  filter: " + prose.Clean(m.filter)
	}
	counted := count(len(m.cards), "spec")
	if m.filter != "" {
		counted = fmt.Sprintf("%d of %s", m.shown, counted)
	}
	if !m.loaded {
		counted = "reading …"
	}
	room := max(0, m.width-prose.Width(counted)-1)
	line := prose.Fill(title, room) + " " + counted
	if m.showsColumns() {
		return append([]string{line}, m.columnHeads()...)
	}
	return []string{line, m.listHead()}
}

// foot draws the lines below the cards: a question, else the note or what is being done, and the keys.
func (m Model) foot() []string {
	// A terminal of a few rows has no room for both.
	if m.height < 4 {
		return nil
	}
	if d := m.dialog; d != nil {
		return keepFirst(d.rows(m.width), max(1, m.height-3))
	}
	said := m.note.style.Paint(m.note.text)
	if m.note.text == "" && len(m.jobs) > 0 {
		said = prose.Cyan.Paint("… " + describe(m.jobs[0]))
		if more := len(m.jobs) - 1; more > 0 {
			said += fmt.Sprintf(" and %d more", more)
		}
	}
	if m.note.text == "" && len(m.jobs) == 0 {
		said = prose.Faint.Paint(prose.Clean(m.line))
	}
	rows := []string{said, prose.Faint.Paint(prose.Fit(footKeys(m.open != nil, m.offers), m.width))}
	if m.note.hint != "" {
		rows = []string{said, m.note.hint, rows[1]}
	}
	return rows
}

// rows draws what is asked.
func (d *dialog) rows(width int) []string {
	width = max(width, 4)
	rows := []string{prose.Faint.Paint(strings.Repeat("─", width))}
	for i, line := range d.lines {
		style := prose.None
		if i == 0 {
			style = prose.Yellow
		}
		for _, piece := range prose.Wrap(line, width) {
			rows = append(rows, style.Paint(piece))
		}
	}
	if !d.input {
		return append(rows, prose.Bold.Paint("y")+" does it, any other key leaves it")
	}
	return append(rows, "> "+tail(d.text, width-4)+"▏", prose.Faint.Paint("enter sends it, esc leaves it"))
}

// tail is the end of a text that fits a width.
func tail(text string, width int) string {
	runes := []rune(prose.Clean(text))
	for len(runes) > 0 && prose.Width(string(runes)) > width {
		runes = runes[1:]
	}
	return string(runes)
}

// keepFirst is the beginning of lines, and the last of them.
func keepFirst(lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	return append(lines[:n-1:n-1], lines[len(lines)-1])
}

// helpLines lists the keys.
func helpLines() []string {
	lines := []string{prose.Bold.Paint("Keys"), ""}
	for _, k := range Keys() {
		lines = append(lines, "  "+prose.Fill(strings.Join(k.Names, ", "), 16)+" "+k.Help)
	}
	return lines
}

func (m Model) helpFrame() []string {
	lines := helpLines()
	return lines[min(m.helpTop, len(lines)):]
}
