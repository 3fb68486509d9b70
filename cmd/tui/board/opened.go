package board

import (
	"strings"

	"chant/cmd/tui/prose"
)

// openHead draws the lines above those of a spec: its id, state and title, and the tabs.
func (m Model) openHead() []string {
	title := prose.Bold.Paint(prose.Clean(m.open.id))
	if c := m.cardOf(m.open.id); c != nil {
		state := string(c.Status)
		if note := cardNote(c); note != "" && !strings.HasPrefix(note, state) {
			state += ": " + note
		} else if note != "" {
			state = note
		}
		title += "  " + titleOf(c) + "  " + prose.Faint.Paint(prose.Clean(state))
	}
	var tabs strings.Builder
	for i, name := range m.tabWords() {
		style := prose.None
		if tab(i) == m.open.tab {
			style = prose.Bold.And(prose.Reverse)
		}
		tabs.WriteString(style.Paint(name) + " ")
	}
	return []string{title, tabs.String()}
}

// tabWords are the tabs as they are drawn: with their number, and a mark for the one that is open.
func (m Model) tabWords() []string {
	var out []string
	for i, name := range tabNames() {
		if m.width < 70 && len(name) > 4 {
			name = name[:4]
		}
		word := " " + string(rune('1'+i)) + " " + name + " "
		if tab(i) == m.open.tab {
			word = "[" + word[1:len(word)-1] + "]"
		}
		out = append(out, word)
	}
	return out
}

// tabAt finds the tab in a column of the terminal.
func (m Model) tabAt(x int) (tab, bool) {
	for i, word := range m.tabWords() {
		if x < prose.Width(word) {
			return tab(i), x >= 0
		}
		x -= prose.Width(word) + 1
	}
	return 0, false
}

// openBody draws the visible lines of the tab.
func (m Model) openBody() []string {
	p := m.open.pages[m.open.tab]
	if p.doc == nil && p.err == nil {
		return []string{prose.Faint.Paint("reading …")}
	}
	top := min(p.top, len(p.lines))
	return append([]string{}, p.lines[top:min(len(p.lines), top+m.bodyRows())]...)
}
