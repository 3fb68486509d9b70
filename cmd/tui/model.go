package tui

import (
	"bytes"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

const (
	defaultWidth  = 80 // cells, where the terminal does not report its size
	defaultHeight = 24
)

// scene is the content of the view at one moment, for one run or many.
type scene interface {
	rows(m model, limit int) []string        // of a frame, at most limit
	newEnds(m model) (rows []string, to int) // that are not above the frame yet, and how many there are with them
	openQuestions() inquiries                // the questions that wait for a person
}

// tick brings the model up to date.
type tick struct {
	scene    scene
	now      time.Time
	stopping bool // work was asked to stop
}

// ended is the last message: work has returned.
type ended struct {
	tick
	failed bool
}

// printed is the message that so many rows are above the frame.
type printed int

// settled is the number of ticks after which the renderer has drawn a frame for certain:
// before that it does not know where "above" is.
const settled = 3

// model is the view as a value: messages in, frames out. It reads no clock and
// starts nothing.
type model struct {
	tick
	interrupt     func() // asks work to stop
	stages        int    // how often a key may ask: the last time is the one that stops work
	presses       int    // of Ctrl-C and q
	frame         int    // counts ticks, turns the spinner
	ended, failed bool
	width, height int // of the terminal, in cells
	profile       colorprofile.Profile
	printed       int  // rows above the frame
	printing      bool // some more are on their way there

	person Person
	typing *typing // the answer that is being typed, nil for none
	rung   int     // questions for which the bell was rung
	note   string  // why the last answer was not taken

	title  string // of the spec whose run is shown, "" until it is known
	titled string // the id of the spec whose title was asked for
}

// title is the message that a spec has this title.
type title string

// newModel returns the view of one run, which stops at the first press of a key.
func newModel(stop func()) model {
	return model{tick: tick{scene: board{}}, interrupt: stop, stages: 1, width: defaultWidth, height: defaultHeight}
}

// newCrowdModel returns the view of many runs: at the first press no more of them start, at
// the second one all stop.
func newCrowdModel(interrupt func()) model {
	m := newModel(interrupt)
	m.scene, m.stages = runsView{}, 2
	return m
}

// withPerson returns the view in front of a person.
func (m model) withPerson(person Person) model {
	m.person = person
	return m
}

// Init has nothing to start: ticks come from outside.
func (m model) Init() tea.Cmd { return nil }

// Update takes in a message.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tick:
		m.tick = msg
		m.frame++
		m, bell := m.ring()
		m, ask := m.askTitle()
		next, print := m.print()
		return next, tea.Batch(bell, ask, print)
	case title:
		m.title = string(msg)
	case ended:
		m.tick, m.ended, m.failed = msg.tick, true, msg.failed
		if m.printing {
			// The program quits once they are there.
			return m, nil
		}
		return m, tea.Quit
	case printed:
		m.printed, m.printing = int(msg), false
		if m.ended {
			return m, tea.Quit
		}
		return m.print()
	case tea.WindowSizeMsg:
		return m.resize(msg)
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
	case answered:
		if msg.err != nil {
			m.note = strings.Join(lastLines(msg.err.Error(), 1), "")
		}
	case tea.PasteMsg:
		return m.paste(msg.Content), nil
	case tea.KeyPressMsg:
		return m.press(msg)
	}
	return m, nil
}

// askTitle asks for the title of the spec whose run is shown, once.
func (m model) askTitle() (model, tea.Cmd) {
	one, is := m.scene.(board)
	if !is || one.id == "" || one.id == m.titled || m.person.Title == nil {
		return m, nil
	}
	m.titled = one.id
	return m, func() tea.Msg { return title(strings.Join(lastLines(m.person.Title(one.id), 1), "")) }
}

// print sends the rows that are new above the frame, one batch at a time.
func (m model) print() (tea.Model, tea.Cmd) {
	rows, to := m.scene.newEnds(m)
	// One batch at a time, so that they are there in order; before the first frames the renderer does not know where above
	// is.
	if m.printing || m.ended || m.frame < settled || len(rows) == 0 {
		return m, nil
	}
	m.printing = true
	return m, tea.Sequence(tea.Println(m.coloured(strings.Join(rows, "\n"))), func() tea.Msg { return printed(to) })
}

// coloured is a text with the colours that the terminal has; the renderer sees to that for
// the frame, not for what is printed above it.
func (m model) coloured(text string) string {
	var b bytes.Buffer
	w := colorprofile.Writer{Forward: &b, Profile: m.profile}
	if _, err := w.WriteString(text); err != nil {
		return sanitize(text)
	}
	return b.String()
}

// resize follows the terminal. One that claims to have no size gets the usual one, also with the renderer.
func (m model) resize(size tea.WindowSizeMsg) (tea.Model, tea.Cmd) {
	if size.Width <= 0 || size.Height <= 0 {
		// The renderer would draw nothing without a size.
		return m, func() tea.Msg { return tea.WindowSizeMsg{Width: defaultWidth, Height: defaultHeight} }
	}
	m.width, m.height = size.Width, size.Height
	return m, nil
}

// press handles a key. Asking once more than there are stages changes nothing.
func (m model) press(key tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	if m.typing != nil && !m.ended {
		if next, cmd, handled := m.edit(key); handled {
			return next, cmd
		}
	}
	s := key.String()
	if s == "a" {
		return m.beginAnswer(), nil
	}
	if s == "b" && m.person.Board != nil && !m.ended {
		return m, m.openBoard()
	}
	if s != "q" && s != "ctrl+c" || m.presses >= m.stages || m.ended || m.stopping && m.stages == 1 {
		return m, nil
	}
	m.presses++
	// In a command, because it may wait for work.
	return m, func() tea.Msg { m.interrupt(); return nil }
}

// keys says which keys do what, "" once they do nothing more, or where there is no person.
func (m model) keys() string {
	if m.ended || m.isStopping() || m.person.Board == nil {
		return ""
	}
	return "b opens the board · q stops"
}

// openBoard gives the terminal to the board, opened on the run if there is only one. Work continues meanwhile; when it
// ends, the view does so after the board.
func (m model) openBoard() tea.Cmd {
	id := ""
	if one, is := m.scene.(board); is {
		id = one.id
	}
	return tea.Exec(m.person.Board(id), func(err error) tea.Msg { return answered{err} })
}

// isStopping reports whether work was asked to stop. A key is known here before work's context ends.
func (m model) isStopping() bool { return m.stopping || m.presses >= m.stages }

// View draws the frame, with an empty last line on which the cursor rests.
func (m model) View() tea.View {
	limit := max(1, m.height-1)
	var below []string
	if !m.ended && !m.isStopping() {
		below = m.scene.openQuestions().rows(m, min(limit-1, maxAsked+1))
	}
	if m.note != "" && len(below) < limit-1 {
		below = append(below, m.row(warningStyle(), "!", m.note))
	}
	rows := append(m.scene.rows(m, limit-len(below)), below...)
	if len(rows) == 0 {
		return tea.NewView("")
	}
	return tea.NewView(strings.Join(rows, "\n") + "\n")
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
