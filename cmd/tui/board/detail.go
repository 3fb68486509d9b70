package board

import (
	"chant/cmd/tui/prose"

	tea "charm.land/bubbletea/v2"
)

// tab is one view of a spec.
type tab int

const (
	tabText tab = iota
	tabCriteria
	tabLog
	tabDiff
	tabHistory
	tabGraph
)

// tabNames are the names of the tabs, in order.
func tabNames() []string {
	return []string{"text", "criteria", "log", "diff", "history", "dependencies"}
}

// document is the content of a tab, which is drawn for a width. files are the lines at which the
// files of a diff begin.
type document func(width int) (lines []string, files []int)

// detail is a spec that is open.
type detail struct {
	id    string
	tab   tab
	pages [6]page
}

// page is a tab as it is shown.
type page struct {
	doc   document // nil before it was read
	err   error    // why it could not be read
	width int      // for which it was drawn
	lines []string
	files []int
	top   int  // the first visible line
	away  bool // of a log: its end is not followed
}

func newDetail(id string) *detail { return &detail{id: id} }

// openTab shows another tab of the spec that is open.
func (m Model) openTab(t tab) (Model, tea.Cmd) {
	d := *m.open
	d.tab = t % tab(len(d.pages))
	m.open = &d
	return m.settleOpen(), m.readTab()
}

// readTab reads what the tab shows.
func (m Model) readTab() tea.Cmd {
	ctx, desk, id, t := m.ctx, m.desk, m.open.id, m.open.tab
	return func() tea.Msg {
		doc, err := readDocument(ctx, desk, id, t)
		return docMsg{id, t, doc, err}
	}
}

// takeDoc takes in the content of a tab, unless another spec is open by now. A log that was at
// its end stays there.
func (m Model) takeDoc(msg docMsg) Model {
	// The tab of a spec that was left must not replace the one that is open.
	if m.open == nil || m.open.id != msg.id {
		return m
	}
	d := *m.open
	p := &d.pages[msg.tab]
	p.doc, p.err, p.width = msg.doc, msg.err, 0
	m.open = &d
	return m.settleOpen()
}

// settleOpen draws the tab for the width of the terminal, if that has not been done, and keeps
// its place within it.
func (m Model) settleOpen() Model {
	if m.open == nil {
		return m
	}
	d := *m.open
	p := &d.pages[d.tab]
	// Drawing again at each key would be slow for a long diff.
	if p.width != m.width {
		p.width = m.width
		switch {
		case p.err != nil:
			n := noteOf(p.err)
			p.lines, p.files = []string{n.style.Paint(prose.Fit(n.text, m.width)), prose.Fit(n.hint, m.width)}, nil
		case p.doc == nil:
			p.lines, p.files = []string{prose.Faint.Paint("reading …")}, nil
			// So that it is drawn as soon as it was read.
			p.width = 0
		default:
			p.lines, p.files = p.doc(m.width)
		}
	}
	last := max(0, len(p.lines)-m.bodyRows())
	// The end of a log is followed until the person scrolls away.
	if d.tab == tabLog && !p.away {
		p.top = last
	}
	p.top = max(0, min(p.top, last))
	m.open = &d
	return m
}

// scrollOpen moves the lines of the tab.
func (m Model) scrollOpen(by int) Model {
	m = m.settleOpen()
	d := *m.open
	p := &d.pages[d.tab]
	last := max(0, len(p.lines)-m.bodyRows())
	p.top = max(0, min(p.top+by, last))
	p.away = p.top < last
	m.open = &d
	return m
}

// nextFile moves to the next file of a diff, or back.
func (m Model) nextFile(by int) Model {
	m = m.settleOpen()
	p := m.open.pages[m.open.tab]
	to := p.top
	for _, at := range p.files {
		if by > 0 && at > p.top {
			to = at
			break
		}
		if by < 0 && at < p.top {
			to = at
		}
	}
	return m.scrollOpen(to - p.top)
}
