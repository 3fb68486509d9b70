package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
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
}

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
	case crowdEnded:
		m.crowdTick, m.ended, m.failed = msg.crowdTick, true, msg.failed
		return m, tea.Quit
	case tea.WindowSizeMsg:
		if msg.Width <= 0 || msg.Height <= 0 {
			return m, func() tea.Msg { return tea.WindowSizeMsg{Width: defaultWidth, Height: defaultHeight} }
		}
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return m.press(msg)
	}
	return m, nil
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
	var rows []string
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
