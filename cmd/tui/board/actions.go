package board

import (
	"fmt"
	"slices"
	"strings"

	"chant/cmd/tui/prose"
	"chant/engine/evidence/question"
	"chant/engine/view"
	"chant/text"

	tea "charm.land/bubbletea/v2"
)

// dialog is a question to the person: yes or no, or a line of text.
type dialog struct {
	order Order
	lines []string // what is asked
	input bool     // a text is asked for
	text  string   // as typed so far
}

// begin starts an act on the selected spec: at once, or after a question.
func (m Model) begin(act Act) (Model, tea.Cmd) {
	o := Order{Act: act}
	if act != WorkAll && act != Stop && act != Add && act != Undo {
		if o.ID = m.current(); o.ID == "" {
			m.note = note{text: "no spec is selected"}
			return m, nil
		}
		// Whether there is a question, the desk knows best.
		if act != Answer && !m.offers(act) {
			m.note = note{text: fmt.Sprintf("%s is %s: there is nothing to %s", shortID(o.ID), m.state(o.ID), act)}
			return m, nil
		}
	}
	switch act {
	case Add:
		m.dialog = &dialog{order: o, lines: []string{"Title of the new spec"}, input: true}
		return m, nil
	case Reject:
		m.dialog = &dialog{order: o, lines: []string{"Reject " + shortID(o.ID) + ": it will not be worked or merged. Undo with u, or y approves it. Why?"}, input: true}
		return m, nil
	case Answer:
		return m, m.readQuestion(o.ID)
	case Undo:
		return m, m.readLast()
	case WorkAll:
		ready := m.columns[slices.Index(view.Columns(), view.ColumnReady)]
		if len(ready) == 0 {
			m.note = note{text: "no spec is ready"}
			return m, nil
		}
		o.ID = m.cards[ready[0]].ID
	}
	if what, undo := consequence(o); what != "" {
		m.dialog = &dialog{order: o, lines: []string{what, undo}}
		return m, nil
	}
	return m.carryOut(o)
}

// offers reports whether the state of the current spec leaves room for an act, as far as the board knows it.
func (m Model) offers(act Act) bool {
	for _, c := range m.cards {
		if c.ID == m.current() {
			return c.Offers(string(act))
		}
	}
	return true
}

// state is the status of a spec on the board, in words.
func (m Model) state(id string) string {
	at := slices.IndexFunc(m.cards, func(c view.Card) bool { return c.ID == id })
	if at < 0 {
		return "not on the board"
	}
	if c := m.cards[at]; c.Run == "running" || c.Run == "waiting" {
		return "being worked"
	} else if c.Landed != nil && *c.Landed {
		return "landed"
	}
	return strings.ReplaceAll(m.cards[at].Status, "_", " ")
}

// current is the id of the spec that keys mean.
func (m Model) current() string {
	if m.open != nil {
		return m.open.id
	}
	if c := m.card(); c != nil {
		return c.ID
	}
	return ""
}

// carryOut has an order carried out.
func (m Model) carryOut(o Order) (Model, tea.Cmd) {
	ctx, desk := m.ctx, m.desk
	m.note = note{}
	if o.Act.takesTerminal() {
		return m, func() tea.Msg {
			program, err := desk.Program(ctx, o)
			return programMsg{o, program, err}
		}
	}
	// A copy, because the model is a value.
	m.jobs = append(slices.Clone(m.jobs), o)
	return m, func() tea.Msg {
		if o.Act == Add {
			id, err := desk.Add(ctx, o.Text, o.Criteria)
			return doneMsg{order: o, text: "Created " + id, added: id, err: err}
		}
		text, err := desk.Do(ctx, o)
		return doneMsg{order: o, text: text, err: err}
	}
}

// run gives the terminal to a program until it ends.
func (m Model) run(msg programMsg) (Model, tea.Cmd) {
	if msg.err != nil {
		m.note = noteOf(msg.err)
		return m.refresh()
	}
	return m, tea.Exec(msg.program, func(err error) tea.Msg {
		return doneMsg{order: msg.order, text: "back from " + describe(msg.order), err: err}
	})
}

// readQuestion reads the open question of a spec.
func (m Model) readQuestion(id string) tea.Cmd {
	ctx, desk := m.ctx, m.desk
	return func() tea.Msg {
		r, err := desk.Show(ctx, id)
		if err != nil {
			return askMsg{id: id, err: err}
		}
		for _, q := range question.WithState(r.Questions, question.Open) {
			return askMsg{id: id, number: q.Number, prompt: q.Prompt}
		}
		return askMsg{id: id}
	}
}

// readLast reads the last decision.
func (m Model) readLast() tea.Cmd {
	ctx, desk := m.ctx, m.desk
	return func() tea.Msg {
		d, err := desk.Last(ctx)
		return lastMsg{d, err}
	}
}

// askUndo asks whether to undo the last decision, or says why that is not possible.
func (m Model) askUndo(msg lastMsg) Model {
	d := msg.decision
	switch {
	case msg.err != nil:
		m.note = noteOf(msg.err)
	case !d.Undoable:
		m.note = note{style: prose.Red, text: prose.Clean(fmt.Sprintf("cannot undo %s: %s", d.Name(), d.Why))}
		if !d.Next.IsZero() {
			m.note.hint = "hint: " + prose.Clean(d.Next.String())
		}
	default:
		by, _, _ := strings.Cut(d.By, " <")
		lines := []string{prose.Clean("Undo " + d.Name() + "? " + by + ", " + text.LocalTime(d.At))}
		for _, does := range d.Does[:min(len(d.Does), 5)] {
			lines = append(lines, "  "+prose.Clean(does))
		}
		m.dialog = &dialog{order: Order{Act: Undo, ID: d.ID, Text: d.Key()}, lines: lines}
	}
	return m
}

// ask opens a line for the answer to a question.
func (m Model) ask(msg askMsg) Model {
	switch {
	case msg.err != nil:
		m.note = noteOf(msg.err)
	case msg.number == 0:
		m.note = note{text: shortID(msg.id) + " has no open question"}
	default:
		lines := []string{shortID(msg.id) + " asks:"}
		for _, l := range prose.Lines(msg.prompt) {
			if strings.TrimSpace(l) != "" && len(lines) < 6 {
				lines = append(lines, "  "+l)
			}
		}
		m.dialog = &dialog{order: Order{Act: Answer, ID: msg.id, Question: msg.number}, lines: lines, input: true}
	}
	return m
}

// pressDialog handles a key while something is asked.
func (m Model) pressDialog(key tea.KeyPressMsg) (Model, tea.Cmd) {
	d := *m.dialog
	if !d.input {
		m.dialog = nil
		if key.String() == "y" || key.String() == "Y" {
			return m.carryOut(d.order)
		}
		m.note = note{text: "nothing was done"}
		return m, nil
	}
	switch key.String() {
	case "esc", "ctrl+c":
		m.dialog, m.note = nil, note{text: "nothing was done"}
		return m, nil
	case "enter":
		return m.submit(d)
	}
	d.text = editLine(d.text, key)
	m.dialog = &d
	return m, nil
}

// submit takes the line that was typed.
func (m Model) submit(d dialog) (Model, tea.Cmd) {
	line := strings.TrimSpace(d.text)
	d.text = ""
	switch {
	case d.order.Act == Add && d.order.Text != "":
		if line != "" {
			d.order.Criteria = append(slices.Clone(d.order.Criteria), line)
			d.lines = []string{"Criterion, such as: tests pass `$ make test` (empty: that is all)"}
			m.dialog = &d
			return m, nil
		}
	case line == "":
		// A text is needed; esc leaves.
		return m, nil
	case d.order.Act == Add:
		d.order.Text = line
		d.lines = []string{"Criterion, such as: tests pass `$ make test` (empty: none)"}
		m.dialog = &d
		return m, nil
	default:
		d.order.Text = line
	}
	m.dialog = nil
	return m.carryOut(d.order)
}

// maxTyped bounds a line that is typed, in bytes.
const maxTyped = 8 << 10

// editLine is a line after a key.
func editLine(line string, key tea.KeyPressMsg) string {
	switch key.String() {
	case "backspace":
		runes := []rune(line)
		return string(runes[:max(0, len(runes)-1)])
	case "ctrl+u":
		return ""
	case "ctrl+w":
		line = strings.TrimRight(line, " ")
		return line[:strings.LastIndexByte(line, ' ')+1]
	}
	if key.Text != "" && len(line)+len(key.Text) <= maxTyped {
		return line + prose.Clean(key.Text)
	}
	return line
}

// paste adds a pasted text to the line that is typed.
func (m Model) paste(text string) Model {
	// A line end would otherwise send the line before it is complete.
	text = strings.Join(strings.Fields(prose.Clean(text)), " ")
	switch {
	case m.dialog != nil && m.dialog.input && len(m.dialog.text)+len(text) <= maxTyped:
		d := *m.dialog
		d.text += text
		m.dialog = &d
	case m.dialog == nil && m.filtering && len(m.filter)+len(text) <= maxTyped:
		m.filter += text
		m.deck = m.arrange()
	}
	return m
}
