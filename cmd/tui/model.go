package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

const (
	maxHeight     = 12 // lines of a frame
	defaultWidth  = 80 // cells, where the terminal does not tell
	defaultHeight = 24
)

// tick brings the model up to date.
type tick struct {
	board    board
	now      time.Time
	stopping bool // work was asked to stop
}

// ended is the last message: work has returned.
type ended struct {
	tick
	failed bool
}

// model is the view as a value: messages in, frames out. It reads no clock and
// starts nothing.
type model struct {
	tick
	stop          func() // asks work to stop; may be called again
	frame         int    // counts ticks, turns the spinner
	ended, failed bool
	width, height int // of the terminal, in cells
}

func newModel(stop func()) model {
	return model{stop: stop, width: defaultWidth, height: defaultHeight}
}

// Init has nothing to start: ticks come from outside.
func (m model) Init() tea.Cmd { return nil }

// Update takes in a message.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tick:
		msg.stopping = msg.stopping || m.stopping // a key is known here first
		m.tick = msg
		m.frame++
	case ended:
		m.tick = msg.tick
		m.ended, m.failed = true, msg.failed
		return m, tea.Quit
	case tea.WindowSizeMsg:
		return m.resize(msg)
	case tea.KeyPressMsg:
		return m.press(msg)
	}
	return m, nil
}

// resize follows the terminal. One that claims to have no size gets the usual
// one, also with the renderer, which would draw nothing otherwise.
func (m model) resize(size tea.WindowSizeMsg) (tea.Model, tea.Cmd) {
	if size.Width <= 0 || size.Height <= 0 {
		return m, func() tea.Msg { return tea.WindowSizeMsg{Width: defaultWidth, Height: defaultHeight} }
	}
	m.width, m.height = size.Width, size.Height
	return m, nil
}

// press obeys a key. Asking twice is asking once.
func (m model) press(key tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	if s := key.String(); s != "q" && s != "ctrl+c" || m.stopping || m.ended {
		return m, nil
	}
	m.stopping = true
	return m, func() tea.Msg { m.stop(); return nil }
}

// View draws the frame, with an empty last line on which the cursor rests.
func (m model) View() tea.View {
	rows := m.rows(max(1, min(maxHeight, m.height-1)))
	if len(rows) == 0 {
		return tea.NewView("")
	}
	return tea.NewView(strings.Join(rows, "\n") + "\n")
}

// rows lays out at most limit lines. Steps come first, the latest before the
// earlier ones; what is said gets the room they leave.
func (m model) rows(limit int) []string {
	var foot []string
	switch {
	case m.ended:
		for _, w := range m.board.warnings {
			foot = append(foot, m.row(warningStyle(), "!", w))
		}
	case m.stopping && limit > 1:
		foot = append(foot, m.row(warningStyle(), "■", "stopping"))
	}
	steps := keepLast(m.board.steps, max(1, limit-len(foot)))
	var rows []string
	for i, s := range steps {
		rows = append(rows, m.stepRow(s, i == len(steps)-1))
	}
	if !m.ended && m.width > 2 {
		for _, l := range keepLast(m.board.lines, limit-len(rows)-len(foot)) {
			rows = append(rows, m.lineRow(l))
		}
	}
	return append(rows, keepLast(foot, limit-len(rows))...)
}

// stepRow draws a step; the last one is under way or where work has ended.
func (m model) stepRow(s step, last bool) string {
	text := fmt.Sprintf("%-8s %5s", s.name, s.elapsed(m.now))
	switch {
	case last && m.failed:
		return m.row(failedStyle(), "✗", text)
	case last && !m.ended:
		return m.row(currentStyle(), spinner(m.frame), text)
	}
	return m.row(doneStyle(), "✓", text)
}

// row draws a mark in its style and a text beside it, as wide as the terminal.
func (m model) row(mark lipgloss.Style, glyph, text string) string {
	return drawRow(mark, glyph, text, m.width)
}

func drawRow(mark lipgloss.Style, glyph, text string, width int) string {
	text = fit(text, width-2)
	if text == "" {
		return mark.Render(glyph)
	}
	return mark.Render(glyph) + " " + text
}

// lineRow draws a line of progress text, indented below its step.
func (m model) lineRow(l line) string {
	style := textStyle()
	if l.kind == "warning" {
		style = warningStyle()
	}
	return "  " + style.Render(fit(l.text, m.width-2))
}
