package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"chant/engine"

	tea "charm.land/bubbletea/v2"
	"github.com/alecthomas/assert/v2"
)

// question is an event about a question of a run.
func question(id, kind string, number int, text string) engine.Event {
	e := ev("agent " + kind + " " + text)
	e.ID, e.Question = id, number
	return e
}

// asking is a board with questions, after events.
func asking(events ...engine.Event) tick {
	b := filled("agent step")
	for _, e := range events {
		b.add(e, start())
	}
	return tick{scene: b, now: start()}
}

// keys are the presses of a person.
func keys(all ...string) (out []tea.Msg) {
	for _, k := range all {
		switch k {
		case "esc":
			out = append(out, tea.KeyPressMsg{Code: tea.KeyEscape})
		case "enter":
			out = append(out, tea.KeyPressMsg{Code: tea.KeyEnter})
		case "backspace":
			out = append(out, tea.KeyPressMsg{Code: tea.KeyBackspace})
		default:
			for _, r := range k {
				out = append(out, tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
	}
	return out
}

// given is an answer that the view has passed on.
type given struct {
	id     string
	number int
	text   string
}

// answers takes a view through messages, carries out what it starts, and returns its last frame and the answers.
func answers(refuse error, msgs ...tea.Msg) (frame string, got []given, presses int) {
	person := Person{Answer: func(id string, number int, text string) error {
		got = append(got, given{id, number, text})
		return refuse
	}}
	var m tea.Model = newModel(func() {}).withPerson(person)
	for _, msg := range msgs {
		var cmd tea.Cmd
		if m, cmd = m.Update(msg); cmd == nil {
			continue
		}
		if done, ok := cmd().(answered); ok {
			m, _ = m.Update(done)
		}
	}
	return sanitize(m.View().Content), got, m.(model).presses
}

func TestModel_answers(t *testing.T) {
	t.Parallel()
	one, two := question("001", "question", 1, "Which port?\nBelow 1024?"), question("001", "question", 2, "Which host?")
	gone := question("001", "answered", 1, "8080")
	refused := errors.New("question 1 is answered already")
	for name, tt := range map[string]struct {
		refuse error
		msgs   []tea.Msg
		frame  string // below the step
		want   []given
	}{
		"shown":                   {nil, []tea.Msg{asking(one)}, "? 001 asks: Which port?\n  Below 1024?\n  a answers it\n", nil},
		"several":                 {nil, []tea.Msg{asking(one, two)}, "? 001 asks: Which port?\n  Below 1024?\n  a answers it; 1 more wait\n", nil},
		"repeated":                {nil, []tea.Msg{asking(one, one)}, "? 001 asks: Which port?\n  Below 1024?\n  a answers it\n", nil},
		"closed":                  {nil, []tea.Msg{asking(one, gone)}, "", nil},
		"typing":                  {nil, append([]tea.Msg{asking(two)}, keys("a", "quax", "backspace")...), "? 001 asks: Which host?\n> qua▏\n", nil},
		"left":                    {nil, append([]tea.Msg{asking(two)}, keys("a", "quax", "esc")...), "? 001 asks: Which host?\n  a answers it\n", nil},
		"answered":                {nil, append([]tea.Msg{asking(one, two)}, keys("a", "80", "enter")...), "? 001 asks: Which port?\n  Below 1024?\n  a answers it; 1 more wait\n", []given{{"001", 1, "80"}}},
		"nothing typed":           {nil, append([]tea.Msg{asking(two)}, keys("a", " ", "enter")...), "? 001 asks: Which host?\n  a answers it\n", nil},
		"refused":                 {refused, append([]tea.Msg{asking(two)}, keys("a", "x", "enter")...), "? 001 asks: Which host?\n  a answers it\n! question 1 is answered already\n", []given{{"001", 2, "x"}}},
		"pasted":                  {nil, append(append([]tea.Msg{asking(two)}, keys("a")...), tea.PasteMsg{Content: "one\ntwo\x1b[2J"}), "? 001 asks: Which host?\n> one two▏\n", nil},
		"pasted elsewhere":        {nil, []tea.Msg{asking(two), tea.PasteMsg{Content: "x"}}, "? 001 asks: Which host?\n  a answers it\n", nil},
		"answered by another way": {nil, append(append([]tea.Msg{asking(one)}, keys("a", "8")...), asking(one, gone)), "", nil},
		"no question":             {nil, append([]tea.Msg{asking()}, keys("a", "enter")...), "", nil},
	} {
		frame, got, presses := answers(tt.refuse, tt.msgs...)
		_, below, _ := strings.Cut(frame, "\n") // the step
		assert.Equal(t, tt.frame, below, "%s: answers", name)
		assert.Equal(t, len(tt.want), len(got), "%s: answers", name)
		assert.False(t, len(got) > 0 && got[0] != tt.want[0], "%s: answers %v, %d presses, frame\n%swant\n%s", name, got, presses, below, tt.frame)
		assert.Equal(t, 0, presses, "%s: answers", name)
	}
}

// Ctrl-C stops work while an answer is typed, too.
func TestModel_interruptWhileTyping(t *testing.T) {
	t.Parallel()
	msgs := append([]tea.Msg{asking(question("001", "question", 1, "Which?"))}, keys("a", "q")...)
	_, _, presses := answers(nil, append(msgs, tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})...)
	assert.Equal(t, 1, presses)
}

// Without a way to answer, the command is shown.
func TestModel_showsTheCommand(t *testing.T) {
	t.Parallel()
	msgs := append([]tea.Msg{asking(question("001", "question", 1, "Which?"))}, keys("a")...)
	assert.HasSuffix(t, draw(msgs...), "? 001 asks: Which?\n  chant answer 001\n")
	low := append([]tea.Msg{tea.WindowSizeMsg{Width: 12, Height: 3}}, msgs...)
	assert.Equal(t, "⠙ agent    …\n  chant ans…\n", draw(low...), "a low terminal shows")
}

func TestCrowdModel_asks(t *testing.T) {
	t.Parallel()
	var c runsView
	for _, e := range []engine.Event{of("001 started - claude"), question("001", "question", 1, "Which?"), of("001 text agent at work")} {
		c.add(e, start())
	}
	if got := drawCrowd(tick{scene: c.scene(), now: start()}); got != "· 001  claude   agent       0s  at work\n⠙ 1 running\n? 001 asks: Which?\n  chant answer 001\n" {
		t.Errorf("frame\n%s", got)
	}
}

// The bell rings once for each question, and not at all where it is switched off.
func TestWatch_bell(t *testing.T) {
	t.Parallel()
	for _, bell := range []bool{true, false} {
		in, pressed := keyboard(t)
		out := newScreen(80, 24)
		taken := make(chan string, 1)
		person := Person{Bell: bell, Answer: func(_ string, _ int, text string) error {
			taken <- text
			return nil
		}}
		err := Watch(t.Context(), in, out, person, func(_ context.Context, progress func(engine.Event)) error {
			progress(question("001", "question", 1, "Which port?"))
			out.await(t, "a answers it")
			progress(ev("agent text more"))
			out.await(t, "more")
			if _, err := io.WriteString(pressed, "a8080\r"); err != nil {
				return err
			}
			if got := <-taken; got != "8080" {
				t.Errorf("answered %q", got)
			}
			return nil
		})
		assert.NoError(t, err)
		want := 0
		if bell {
			want = 1
		}
		out.mu.Lock()
		assert.Equal(t, want, bytes.Count(out.raw.Bytes(), []byte("\a")), "the bell rang")
		out.mu.Unlock()
	}
}
