package tui

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// crowdTick brings the model of many runs up to date.
type crowdTick struct {
	crowd    crowd
	now      time.Time
	stopping bool // everything was asked to stop
}

// crowdEnded is the last message: work has returned.
type crowdEnded struct {
	crowdTick
	failed bool
}

// crowdModel is the view of many runs as a value, like model.
type crowdModel struct {
	crowdTick
	interrupt     func()
	presses       int // of Ctrl-C and q
	frame         int // counts ticks, turns the spinner
	ended, failed bool
	width, height int // of the terminal, in cells
	profile       colorprofile.Profile
	printed       int  // ends that stand above the view
	printing      bool // some more are on their way there
}

// printed is the message that so many ends stand above the view.
type printed int

// settled is the number of ticks after which the renderer has drawn a frame for certain:
// before that it does not know where "above" is.
const settled = 3

func newCrowdModel(interrupt func()) crowdModel {
	return crowdModel{interrupt: interrupt, width: defaultWidth, height: defaultHeight}
}

// Init has nothing to start: ticks come from outside.
func (m crowdModel) Init() tea.Cmd { return nil }

// Update takes in a message.
func (m crowdModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case crowdTick:
		m.crowdTick = msg
		m.frame++
		return m.print()
	case crowdEnded:
		m.crowdTick, m.ended, m.failed = msg.crowdTick, true, msg.failed
		if m.printing {
			return m, nil // the program quits once they are there
		}
		return m, tea.Quit
	case printed:
		m.printed, m.printing = int(msg), false
		if m.ended {
			return m, tea.Quit
		}
		return m.print()
	case tea.WindowSizeMsg:
		if msg.Width <= 0 || msg.Height <= 0 {
			return m, func() tea.Msg { return tea.WindowSizeMsg{Width: defaultWidth, Height: defaultHeight} }
		}
		m.width, m.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
	case tea.KeyPressMsg:
		return m.press(msg)
	}
	return m, nil
}

// print sends the ends that are new above the view, one batch at a time, so that they stand
// there in order.
func (m crowdModel) print() (tea.Model, tea.Cmd) {
	rows := m.endRows()
	if m.printing || m.ended || m.frame < settled || len(rows) == 0 {
		return m, nil
	}
	m.printing = true
	all := m.crowd.lost + len(m.crowd.ends)
	return m, tea.Sequence(tea.Println(m.coloured(strings.Join(rows, "\n"))), func() tea.Msg { return printed(all) })
}

// coloured is a text with the colours that the terminal has; the renderer sees to that for
// the view, not for what is printed above it.
func (m crowdModel) coloured(text string) string {
	var b bytes.Buffer
	w := colorprofile.Writer{Forward: &b, Profile: m.profile}
	if _, err := w.WriteString(text); err != nil {
		return plain(text)
	}
	return b.String()
}

// endRows draws the ends that do not stand above the view yet. They are narrower than the
// terminal, which would wrap them otherwise.
func (m crowdModel) endRows() []string {
	var rows []string
	for _, e := range m.crowd.ends[min(len(m.crowd.ends), max(0, m.printed-m.crowd.lost)):] {
		style, glyph := textStyle(), "·"
		switch e.kind {
		case "completed":
			style, glyph = doneStyle(), "✓"
		case "failed":
			style, glyph = failedStyle(), "✗"
		case "retry":
			style, glyph = warningStyle(), "↻"
		case "paused":
			style, glyph = warningStyle(), "■"
		}
		rows = append(rows, drawRow(style, glyph, e.id+"  "+e.kind+"  "+e.text, max(1, m.width-1)))
	}
	return rows
}

// press obeys a key: there are two stages of stopping and no third.
func (m crowdModel) press(key tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	if s := key.String(); s != "q" && s != "ctrl+c" || m.presses >= 2 || m.ended {
		return m, nil
	}
	m.presses++
	return m, func() tea.Msg { m.interrupt(); return nil }
}

// View draws the frame, with an empty last line on which the cursor rests.
func (m crowdModel) View() tea.View {
	return tea.NewView(strings.Join(m.rows(max(1, m.height-1)), "\n") + "\n")
}

// rows lays out at most limit lines. The counts come first when room is scarce, then
// how it stops, then the runs.
func (m crowdModel) rows(limit int) []string {
	foot := []string{m.foot()}
	if how := m.stage(); how != "" && limit > 1 {
		foot = append(foot, drawRow(warningStyle(), "■", how, m.width))
	} else if m.crowd.said != "" && limit > 1 {
		foot = append(foot, drawRow(warningStyle(), "!", m.crowd.said, m.width))
	}
	if w := m.waiting(); w != "" && limit > len(foot) {
		foot = append([]string{drawRow(warningStyle(), "…", w, m.width)}, foot...)
	}
	var rows []string
	if m.ended && !m.printing { // nobody prints them above any more
		rows = keepLast(m.endRows(), limit-len(foot))
	}
	for i, r := range m.crowd.runs {
		room := limit - len(foot) - len(rows)
		if hidden := len(m.crowd.runs) - i; room < 1 || room == 1 && hidden > 1 {
			if room == 1 {
				rows = append(rows, drawRow(textStyle(), "…", fmt.Sprintf("%d more", hidden), m.width))
			}
			break
		}
		rows = append(rows, m.runRow(r))
	}
	return append(rows, foot...)
}

// waiting says what everything waits for, "" where something runs.
func (m crowdModel) waiting() string {
	w := m.crowd.waits
	if w == nil || m.ended || len(m.crowd.runs) > 0 {
		return ""
	}
	left := max(0, w.until.Sub(m.now)).Round(time.Second)
	what := w.what
	if what == "" {
		what = "the next retry"
	}
	return fmt.Sprintf("%s until %s, %s; %d ready wait", what, w.until.In(m.now.Location()).Format("15:04"), spaced(left), w.ready)
}

// spaced writes a time as "41 s" or "1m41s".
func spaced(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return d.String()
}

func (m crowdModel) foot() string {
	switch {
	case m.ended && m.failed:
		return drawRow(failedStyle(), "✗", m.crowd.counts(), m.width)
	case m.ended:
		return drawRow(doneStyle(), "✓", m.crowd.counts(), m.width)
	}
	return drawRow(currentStyle(), spinner(m.frame), m.crowd.counts(), m.width)
}

// stage says how far stopping has come.
func (m crowdModel) stage() string {
	switch {
	case m.ended:
		return ""
	case m.stopping || m.presses > 1:
		return "stopping"
	case m.presses == 1:
		return "nothing more starts; Ctrl-C once more stops what runs"
	}
	return ""
}

func (m crowdModel) runRow(r member) string {
	elapsed := max(0, m.now.Sub(r.begin)).Truncate(time.Second)
	text := fmt.Sprintf("%s  %-8s %-8s %5s  %s", r.id, r.agent, r.step, elapsed, r.text)
	return drawRow(currentStyle(), "·", text, m.width)
}
