package board

import (
	"fmt"
	"slices"

	"chant/cmd/tui/prose"

	tea "charm.land/bubbletea/v2"
)

// press handles a key: for what is asked, the help, the filter, the spec that is open, or the board.
func (m Model) press(key tea.KeyPressMsg) (Model, tea.Cmd) {
	name := key.String()
	switch {
	case m.dialog != nil:
		return m.pressDialog(key)
	case m.help:
		return m.pressHelp(name), nil
	case m.filtering:
		return m.pressFilter(key)
	}
	k, known := keyOf(name)
	// The note about q says that a second press quits.
	if known && k.Names[0] != "q" {
		m.leaving = false
		m.note = note{}
	}
	if known && k.Act != "" {
		return m.begin(k.Act)
	}
	if known {
		name = k.Names[0]
	}
	switch name {
	case "?":
		m.help, m.helpTop = true, 0
		return m, nil
	case "c":
		if id := m.current(); id != "" {
			m.note = note{style: prose.Green, text: "copied " + id}
			return m, tea.SetClipboard(id)
		}
		return m, nil
	case "ctrl+r":
		return m.refresh()
	case "q":
		if m.open != nil && key.String() != "ctrl+c" {
			m.open = nil
			return m.settle(), nil
		}
		return m.quit()
	}
	if m.open != nil {
		return m.pressOpen(name)
	}
	return m.pressBoard(name)
}

// quit ends the board, at the second press where orders are being carried out.
func (m Model) quit() (Model, tea.Cmd) {
	// Quitting stops what is being carried out.
	if len(m.jobs) > 0 && !m.leaving {
		m.leaving = true
		m.note = note{style: prose.Yellow, text: fmt.Sprintf("%s has not ended; the same key again stops it and quits", describe(m.jobs[0]))}
		return m, nil
	}
	return m, tea.Quit
}

// describe names an order.
func describe(o Order) string {
	if o.ID == "" || o.Act == WorkAll {
		return string(o.Act)
	}
	return string(o.Act) + " " + shortID(o.ID)
}

func (m Model) pressBoard(name string) (Model, tea.Cmd) {
	page := max(1, m.pageRows()-1)
	switch name {
	case "enter":
		if c := m.card(); c != nil {
			m.open = newDetail(c.ID)
			return m, m.readTab()
		}
	case "esc":
		m.filter = ""
		m.deck = m.arrange()
	case "/":
		m.filtering = true
	case "up":
		m.deck = m.move(-1)
	case "down":
		m.deck = m.move(1)
	case "left", "shift+tab":
		m.deck = m.moveSideways(-1)
	case "right", "tab":
		m.deck = m.moveSideways(1)
	case "pgup":
		m.deck = m.move(-page)
	case "pgdown":
		m.deck = m.move(page)
	case "home":
		m.deck = m.move(-len(m.cards))
	case "end":
		m.deck = m.move(len(m.cards))
	}
	return m, nil
}

// pressFilter handles a key while the filter is typed. The board follows each of them.
func (m Model) pressFilter(key tea.KeyPressMsg) (Model, tea.Cmd) {
	switch key.String() {
	case "enter":
		m.filtering = false
		return m, nil
	case "esc", "ctrl+c":
		m.filtering, m.filter = false, ""
		m.deck = m.arrange()
		return m, nil
	case "up":
		m.deck = m.move(-1)
		return m, nil
	case "down":
		m.deck = m.move(1)
		return m, nil
	}
	m.filter = editLine(m.filter, key)
	m.deck = m.arrange()
	return m, nil
}

func (m Model) pressHelp(name string) Model {
	switch name {
	case "up", "k":
		m.helpTop--
	case "down", "j":
		m.helpTop++
	case "pgup":
		m.helpTop -= m.height
	case "pgdown", "space":
		m.helpTop += m.height
	default:
		m.help = false
	}
	m.helpTop = max(0, min(m.helpTop, len(helpLines())-max(1, m.height-1)))
	return m
}

// pressOpen handles a key while a spec is open.
func (m Model) pressOpen(name string) (Model, tea.Cmd) {
	page := max(1, m.bodyRows()-1)
	switch name {
	case "esc":
		m.open = nil
		return m.settle(), nil
	case "up":
		return m.scrollOpen(-1), nil
	case "down", "enter":
		return m.scrollOpen(1), nil
	case "pgup":
		return m.scrollOpen(-page), nil
	case "pgdown":
		return m.scrollOpen(page), nil
	case "home":
		return m.scrollOpen(-1 << 30), nil
	case "end":
		return m.scrollOpen(1 << 30), nil
	case "n":
		return m.nextFile(1), nil
	case "N":
		return m.nextFile(-1), nil
	case "left", "shift+tab":
		return m.openTab(m.open.tab + tab(len(tabNames())) - 1)
	case "right", "tab":
		return m.openTab(m.open.tab + 1)
	}
	if at := slices.Index([]string{"1", "2", "3", "4", "5", "6"}, name); at >= 0 {
		return m.openTab(tab(at))
	}
	return m, nil
}
