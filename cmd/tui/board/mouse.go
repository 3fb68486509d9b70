package board

import (
	tea "charm.land/bubbletea/v2"
)

// click selects a spec, opens the selected one, or opens a tab.
func (m Model) click(at tea.Mouse) (Model, tea.Cmd) {
	if at.Button != tea.MouseLeft || m.dialog != nil || m.help {
		return m, nil
	}
	if m.open != nil {
		if at.Y == 1 {
			if t, hit := m.tabAt(at.X); hit {
				return m.openTab(t)
			}
		}
		return m, nil
	}
	column, row, hit := m.cardAt(at.X, at.Y)
	if !hit {
		return m, nil
	}
	again := column == m.column && row == m.row
	m.column, m.row = column, row
	m.deck = m.clamp()
	if again {
		return m.pressBoard("enter")
	}
	return m, nil
}

// cardAt finds the card in a cell of the terminal.
func (m Model) cardAt(x, y int) (column, row int, hit bool) {
	y -= m.headRows()
	if y < 0 || y >= m.bodyRows() {
		return 0, 0, false
	}
	if m.showsColumns() {
		column = min(x/m.columnWidth(), len(m.columns)-1)
		row = m.tops[column] + y/cardRows
		return column, row, y/cardRows < m.pageRows() && row < len(m.columns[column])
	}
	if n := m.top + y; n < m.shown {
		column, row = m.atRank(n)
		return column, row, true
	}
	return 0, 0, false
}

// wheelLines is how far one step of the wheel moves.
const wheelLines = 3

// wheel scrolls the spec that is open, or moves the selection.
func (m Model) wheel(at tea.Mouse) Model {
	by := 0
	switch at.Button {
	case tea.MouseWheelUp:
		by = -1
	case tea.MouseWheelDown:
		by = 1
	}
	switch {
	case m.dialog != nil:
	case m.help:
		m.helpTop = max(0, min(m.helpTop+by*wheelLines, len(helpLines())-max(1, m.height-1)))
	case m.open != nil:
		return m.scrollOpen(by * wheelLines)
	case m.showsColumns():
		if column, _, hit := m.cardAt(at.X, at.Y); hit && column != m.column {
			m.column, m.row = column, m.tops[column]
			m.deck = m.clamp()
			return m
		}
		m.deck = m.move(by)
	default:
		m.deck = m.move(by)
	}
	return m
}
