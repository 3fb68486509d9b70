package board

import (
	"fmt"
	"strings"

	"chant/cmd/tui/prose"
	"chant/engine/view"
)

const (
	cardRows = 2 // lines of a card in a column
	gap      = 1 // cells between columns
)

// columnWidth is the width of a column with the gap behind it.
func (m Model) columnWidth() int { return m.width / len(m.columns) }

// columnStyle is the colour of a column's heading and marks.
func columnStyle(c int) prose.Style {
	return []prose.Style{prose.Faint, prose.Cyan, prose.Blue, prose.Yellow, prose.Green}[c]
}

// columnHeads draws the headings with their counts, and a line below them.
func (m Model) columnHeads() []string {
	var heads, rules strings.Builder
	wide := m.columnWidth()
	for c, name := range columnNames() {
		style := columnStyle(c)
		if c == m.column {
			style = style.And(prose.Bold)
		}
		heads.WriteString(prose.Fill(style.Paint(fmt.Sprintf("%s %d", name, len(m.columns[c]))), wide))
		rule := "─"
		if c == m.column {
			rule = "━"
		}
		rules.WriteString(columnStyle(c).Paint(strings.Repeat(rule, wide-gap)) + strings.Repeat(" ", gap))
	}
	return []string{heads.String(), rules.String()}
}

// columnsBody draws the visible cards of each column.
func (m Model) columnsBody() []string {
	page := m.pageRows()
	lines := make([]string, 0, page*cardRows)
	wide := m.columnWidth()
	for at := range page {
		var first, second strings.Builder
		for c, column := range m.columns {
			row := m.tops[c] + at
			if row >= len(column) {
				first.WriteString(strings.Repeat(" ", wide))
				second.WriteString(strings.Repeat(" ", wide))
				continue
			}
			a, b := m.drawCard(&m.cards[column[row]], c == m.column && row == m.row, wide-gap)
			first.WriteString(a + strings.Repeat(" ", gap))
			second.WriteString(b + strings.Repeat(" ", gap))
		}
		lines = append(lines, first.String(), second.String())
	}
	if m.loaded && m.shown == 0 {
		return []string{"", "  " + m.emptyText()}
	}
	return lines
}

// emptyText says why no spec is shown.
func (m Model) emptyText() string {
	if m.filter != "" {
		return "no spec matches the filter; esc drops it"
	}
	return "no specs yet: + adds one"
}

// drawCard draws the two lines of a card: its title; its id, and what a person should know.
func (m Model) drawCard(c *view.Card, selected bool, width int) (first, second string) {
	mark, style := "  ", prose.None
	if selected {
		mark, style = "▸ ", prose.Reverse
	}
	first = prose.Fill(style.Paint(prose.Fit(mark+titleOf(c), width)), width)
	info := shortID(c.ID)
	if note := cardNote(c); note != "" {
		info += " " + note
	}
	return first, prose.Fill(prose.Faint.Paint(prose.Fit("  "+prose.Clean(info), width)), width)
}

// cardNote is what is said beside the id of a card: the status where it is not that of the column, and the note.
func cardNote(c *view.Card) string {
	word := ""
	switch {
	case c.Column == view.ColumnNeedsYou && c.Status != "in_progress" && c.Status != "pending", c.Status == "cancelled", c.Status == "paused":
		word = c.Status
	}
	said := shortIDs(c.Note)
	switch {
	case word != "" && said != "":
		return word + ": " + said
	case word != "":
		return word
	}
	return said
}

func titleOf(c *view.Card) string {
	if c.Title == "" {
		return "(untitled)"
	}
	return prose.Clean(c.Title)
}
