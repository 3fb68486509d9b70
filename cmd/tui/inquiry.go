package tui

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine"

	tea "charm.land/bubbletea/v2"
)

// Bounds of what is kept and shown of questions.
const (
	maxInquiries = 100 // that are open at a time
	maxAsked     = 3   // lines of a question
	maxTyped     = 8 << 10
)

// Person is how the view reaches the person in front of it.
type Person struct {
	Bell bool // rings the bell of the terminal for each question
	// Answer answers a question of a run; nil = the view only shows questions.
	Answer func(id string, question int, text string) error
	// Board returns the board of the project, which has the terminal until it ends, with a spec that is open, "" for
	// none; nil = there is no board.
	Board func(id string) tea.ExecCommand
	// Title returns the title of a spec, "" if it cannot be read; nil = none is shown above a run.
	Title func(id string) string
}

// inquiry is a question of an agent that waits for a person.
type inquiry struct {
	id     string
	number int
	lines  []string
}

// inquiries are the questions that are open, in the order in which they were asked. The zero value has none.
type inquiries struct {
	open []inquiry
	rung int // how many were asked in all
}

// handle takes in an event about a question, and reports whether it is one.
func (q *inquiries) handle(ev engine.Event) bool {
	at := slices.IndexFunc(q.open, func(i inquiry) bool { return i.id == ev.ID && i.number == ev.Question })
	switch ev.Kind {
	case "question":
		if at < 0 {
			q.open = keepLast(append(q.open, inquiry{ev.ID, ev.Question, lastLines(ev.Text, maxAsked)}), maxInquiries)
			q.rung++
		}
		return true
	case "answered", "withdrawn":
		if at >= 0 {
			q.open = slices.Delete(slices.Clone(q.open), at, at+1)
		}
		return true
	}
	return false
}

// clone is a copy that later events do not touch.
func (q *inquiries) clone() inquiries { return inquiries{slices.Clone(q.open), q.rung} }

// typing is an answer that is being typed.
type typing struct {
	to   inquiry
	text string
}

// add adds what was typed or pasted, on one line.
func (t *typing) add(text string) {
	// An answer is one line, so that pasted line ends do not send it.
	text = strings.Join(strings.FieldsFunc(sanitize(text), func(r rune) bool { return r == '\n' }), " ")
	if len(t.text)+len(text) <= maxTyped {
		t.text += text
	}
}

// deleteLast removes the last character.
func (t *typing) deleteLast() {
	runes := []rune(t.text)
	t.text = string(runes[:max(0, len(runes)-1)])
}

// rows draws the oldest question, or the one that is being answered, at most limit lines.
func (q inquiries) rows(m model, limit int) []string {
	if len(q.open) == 0 || limit < 1 {
		return nil
	}
	at := q.open[0]
	if m.typing != nil {
		at = m.typing.to
	}
	rows := []string{}
	for i, l := range at.lines {
		if i == 0 {
			rows = append(rows, m.row(warningStyle(), "?", at.id+" asks: "+l))
		} else {
			rows = append(rows, "  "+fit(l, m.width-2))
		}
	}
	return append(keepFirst(rows, limit-1), q.foot(m))
}

// foot is the line below a question.
func (q inquiries) foot(m model) string {
	switch {
	case m.typing != nil:
		return m.row(currentStyle(), ">", tail(m.typing.text, m.width-3)+"▏")
	case m.person.Answer == nil:
		return m.row(textStyle(), " ", "chant answer "+q.open[0].id)
	case len(q.open) > 1:
		return m.row(textStyle(), " ", fmt.Sprintf("a answers it; %d more wait", len(q.open)-1))
	}
	return m.row(textStyle(), " ", "a answers it")
}

// keepFirst is the beginning of list, n items at most.
func keepFirst[T any](list []T, n int) []T { return list[:min(len(list), max(0, n))] }

// tail is the end of a text that fits a width in cells.
func tail(text string, width int) string {
	runes := []rune(text)
	for len(runes) > 0 && fit(string(runes), width) != string(runes) {
		runes = runes[1:]
	}
	return string(runes)
}
