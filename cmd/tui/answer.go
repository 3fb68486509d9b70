package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// answered is the message that an answer was given, or why not.
type answered struct{ err error }

// ring rings the bell for questions that are new, once each.
func (m model) ring() (model, tea.Cmd) {
	asked := m.scene.openQuestions()
	news := asked.rung > m.rung
	m.rung = asked.rung
	if m.typing != nil && !slices.ContainsFunc(asked.open, func(i inquiry) bool { return i.id == m.typing.to.id && i.number == m.typing.to.number }) {
		// It was answered by another way.
		m.typing = nil
	}
	if !news || !m.person.Bell || m.ended {
		return m, nil
	}
	return m, tea.Raw("\a")
}

// beginAnswer begins to type the answer to the oldest question.
func (m model) beginAnswer() model {
	if open := m.scene.openQuestions().open; len(open) > 0 && m.person.Answer != nil && !m.ended {
		m.typing, m.note = &typing{to: open[0]}, ""
	}
	return m
}

// edit handles a key while an answer is typed. handled is false for keys that have their usual meaning.
func (m model) edit(key tea.KeyPressMsg) (next model, cmd tea.Cmd, handled bool) {
	// A copy, because the model is a value.
	line := *m.typing
	switch key.String() {
	case "ctrl+c":
		return m, nil, false
	case "esc":
		m.typing = nil
		return m, nil, true
	case "enter":
		m.typing = nil
		if strings.TrimSpace(line.text) == "" {
			return m, nil, true
		}
		give := m.person.Answer
		return m, func() tea.Msg {
			return answered{give(line.to.id, line.to.number, line.text)}
		}, true
	case "backspace":
		line.deleteLast()
	default:
		line.add(key.Text)
	}
	m.typing = &line
	return m, nil, true
}

// paste adds what was pasted to the answer.
func (m model) paste(text string) model {
	if m.typing != nil {
		line := *m.typing
		line.add(text)
		m.typing = &line
	}
	return m
}
