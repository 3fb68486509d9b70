package console

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"chant/engine"
	"chant/text"
)

// Line prints a piece of progress.
func (a *App) Line(ev engine.Event) {
	a.ring(ev)
	if text := EventText(ev); text != "" && !a.Quiet {
		fmt.Fprintf(a.Err, "%-8s %s\n", ev.Step.Word(), text)
	}
}

// ring rings the bell of the terminal when an agent asks a person.
func (a *App) ring(ev engine.Event) {
	if ev.Kind == "question" && a.Bell && !a.Quiet && Terminal(a.Screen.Err) {
		// A terminal that cannot ring still shows the question.
		_, _ = io.WriteString(a.Screen.Err, "\a")
	}
}

// EventText returns the text of an event for people, "" for bulk output of the agent.
func EventText(ev engine.Event) string {
	if ev.Kind == "result" {
		return ""
	}
	said := map[string]string{"question": "asks: ", "answered": "answered: ", "withdrawn": "question withdrawn: "}[ev.Kind]
	line := said + text.FirstLine(ev.Text)
	width := lineWidth
	// Its end says what to do, and no log has it.
	if ev.Kind == "warning" {
		width = warningWidth
	}
	if short := text.Head(line, width); short != said+strings.TrimSpace(ev.Text) {
		return short + " …"
	}
	return line
}

// lineWidth bounds a line of progress; the log has all of it.
const lineWidth = 160

// warningWidth bounds a line that is a warning.
const warningWidth = 2000

// EventLine writes a piece of progress as one line of JSON. What tools returned is
// left out: the log has it.
func (a *App) EventLine(ev engine.Event) {
	if !a.Quiet && ev.Kind != "result" {
		// The result, which follows, reports a closed output.
		_ = a.Streamed(ev)
	}
}

// Streamed prints a value as one line of JSON.
func (a *App) Streamed(v any) error {
	return WriteJSON(a.Out, v, "")
}

// LineOf prints a piece of progress of one among many runs.
func (a *App) LineOf(ev engine.Event) {
	a.ring(ev)
	text := EventText(ev)
	switch {
	case text == "" || a.Quiet:
	case ev.ID == "":
		fmt.Fprintln(a.Err, text)
	default:
		fmt.Fprintf(a.Err, "%s  %-9s %s\n", ev.ID, cmp.Or(ev.Step.Word(), ev.Kind), text)
	}
}
