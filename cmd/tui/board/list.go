package board

import (
	"fmt"
	"strings"

	"chant/cmd/tui/prose"
)

// listHead draws the names of the groups with their counts.
func (m Model) listHead() string {
	var parts []string
	for _, c := range m.order() {
		style := columnStyle(c)
		if c == m.column {
			style = style.And(prose.Bold)
		}
		parts = append(parts, style.Paint(fmt.Sprintf("%s %d", columnNames()[c], len(m.columns[c]))))
	}
	return strings.Join(parts, prose.Faint.Paint(" · "))
}

// listBody draws the visible rows of the list.
func (m Model) listBody() []string {
	if m.loaded && m.shown == 0 {
		return []string{"", "  " + m.emptyText()}
	}
	var lines []string
	ids := m.idWidth()
	for n := m.top; n < min(m.shown, m.top+m.pageRows()); n++ {
		column, row := m.atRank(n)
		c := &m.cards[m.columns[column][row]]
		selected := column == m.column && row == m.row
		mark, style := "  ", prose.None
		if selected {
			mark, style = "▸ ", prose.Reverse
		}
		state := prose.Fill(columnNames()[column], len("Completed"))
		text := titleOf(c)
		if note := cardNote(c); note != "" {
			text += " — " + prose.Clean(note)
		}
		rest := prose.Fit(text, max(0, m.width-ids-len("Completed")-6))
		lines = append(lines, mark+columnStyle(column).Paint(state)+"  "+prose.Fill(prose.Clean(shortID(c.ID)), ids)+"  "+style.Paint(rest))
	}
	return lines
}

// idWidth is the width of the ids that are visible.
func (m Model) idWidth() int {
	wide := 0
	for n := m.top; n < min(m.shown, m.top+m.pageRows()); n++ {
		column, row := m.atRank(n)
		wide = max(wide, prose.Width(prose.Clean(shortID(m.cards[m.columns[column][row]].ID))))
	}
	return min(wide, max(8, m.width/4))
}
