package board

import (
	"context"
	"errors"

	"chant/cmd/tui/prose"
	"chant/engine"

	tea "charm.land/bubbletea/v2"
)

// Model is the board. Its zero value is of no use; see New.
type Model struct {
	ctx  context.Context //nolint:containedctx // of the operations that its commands call
	desk Desk
	name string // of the project

	width, height int

	deck             // what is on the board
	line      string // which queues are held, and how the fleet is whose hub is here, "" for nothing
	loaded    bool   // the cards were read
	loading   bool   // they are being read
	stale     bool   // they have changed since
	filtering bool   // keys are part of the filter

	open    *detail // the spec that is open, nil for none
	dialog  *dialog // what is asked, nil for nothing
	help    bool
	helpTop int
	note    note
	jobs    []Order // orders that are being carried out
	leaving bool    // q was pressed although orders are being carried out
}

// note is the answer of the board to the last key.
type note struct {
	style prose.Style
	text  string
	hint  string
}

// New returns the board of a project. With an id, that spec is open.
func New(ctx context.Context, desk Desk, name, id string) Model {
	m := Model{ctx: ctx, desk: desk, name: name, width: 80, height: 24, deck: newDeck()}
	if id != "" {
		m.selected, m.open = id, newDetail(id)
	}
	m.loading = true
	return m
}

// Init reads the cards, and the spec that is open.
func (m Model) Init() tea.Cmd {
	if m.open != nil {
		return tea.Batch(m.readCards(), m.readTab())
	}
	return m.readCards()
}

// Update takes in a message.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	return m.step(msg)
}

// step is Update, and keeps what is selected visible.
func (m Model) step(msg tea.Msg) (Model, tea.Cmd) {
	next, cmd := m.update(msg)
	return next.settle().settleOpen(), cmd
}

// wideEnough is the width from which columns are shown beside each other.
const wideEnough = 100

// showsColumns reports whether columns are shown instead of a list.
func (m Model) showsColumns() bool { return m.width >= wideEnough }

// settle keeps the selection visible, for the size that the board has now.
func (m Model) settle() Model {
	m.beside, m.page = m.showsColumns(), m.pageRows()
	m.deck = m.scrollToSelection()
	return m
}

func (m Model) update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		// Some terminals report no size at first.
		if msg.Width > 0 && msg.Height > 0 {
			m.width, m.height = msg.Width, msg.Height
		}
		return m, nil
	case Changed:
		return m.refresh()
	case Logged:
		if m.open != nil && m.open.tab == tabLog {
			return m, m.readTab()
		}
		return m, nil
	case cardsMsg:
		return m.takeCards(msg)
	case docMsg:
		return m.takeDoc(msg), nil
	case askMsg:
		return m.ask(msg), nil
	case lastMsg:
		return m.askUndo(msg), nil
	case doneMsg:
		return m.takeDone(msg)
	case programMsg:
		return m.run(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content), nil
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.MouseClickMsg:
		return m.click(tea.Mouse(msg))
	case tea.MouseWheelMsg:
		return m.wheel(tea.Mouse(msg)), nil
	}
	return m, nil
}

// refresh reads the cards again, and the tab that is open. While they are being read, one more
// reading is remembered.
func (m Model) refresh() (Model, tea.Cmd) {
	var tab tea.Cmd
	// The log has messages of its own.
	if m.open != nil && m.open.tab != tabLog {
		tab = m.readTab()
	}
	if m.loading {
		// Two readings at once could end in the wrong order.
		m.stale = true
		return m, tab
	}
	m.loading = true
	return m, tea.Batch(m.readCards(), tab)
}

func (m Model) readCards() tea.Cmd {
	ctx, desk := m.ctx, m.desk
	return func() tea.Msg {
		r, err := desk.Board(ctx)
		return cardsMsg{r.Cards, r.Line(), err}
	}
}

func (m Model) takeCards(msg cardsMsg) (Model, tea.Cmd) {
	m.loading = false
	if msg.err != nil {
		m.note = noteOf(msg.err)
	} else {
		m.deck, m.loaded, m.line = m.withCards(msg.cards), true, msg.line
	}
	if m.stale {
		m.stale, m.loading = false, true
		return m, m.readCards()
	}
	return m, nil
}

// takeDone ends an order.
func (m Model) takeDone(msg doneMsg) (Model, tea.Cmd) {
	m.jobs = removeOrder(m.jobs, msg.order)
	m.leaving = m.leaving && len(m.jobs) > 0
	if msg.err != nil {
		m.note = noteOf(msg.err)
	} else {
		m.note = note{style: prose.Green, text: msg.text}
	}
	if msg.added != "" {
		m.deck = m.deck.withSelection(msg.added)
	}
	return m.refresh()
}

// removeOrder returns orders without one of them.
func removeOrder(orders []Order, o Order) []Order {
	var out []Order
	for i, each := range orders {
		if each.Act == o.Act && each.ID == o.ID {
			return append(out, orders[i+1:]...)
		}
		out = append(out, each)
	}
	return out
}

// noteOf is an error with its next step.
func noteOf(err error) note {
	n := note{style: prose.Red, text: "error: " + prose.Clean(err.Error())}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		n.text = "error: " + prose.Clean(e.Message)
		if !e.Next.IsZero() {
			n.hint = "hint: " + prose.Clean(e.Next.String())
		}
	}
	return n
}

// View draws the frame.
func (m Model) View() tea.View {
	v := tea.NewView(joinLines(m.Frame()))
	v.AltScreen, v.MouseMode = true, tea.MouseModeCellMotion
	v.WindowTitle = "chant board"
	return v
}
