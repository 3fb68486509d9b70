package launch

import (
	"strings"

	"chant/engine/journal"
	"chant/providers"
)

// The words in front of a log line that tells of an agent that may be waiting for
// someone.
const (
	AsksPrefix   = "asks: "   // it has printed what reads like a question
	DeniedPrefix = "denied: " // it was refused a tool or a server
)

// warningPrefix begins a log line that tells of something that is no failure.
const warningPrefix = "warning: "

// hear writes one event to the log and passes it on. What the agent has used goes to the
// journal. Once the log is full no one is told any more what the agent prints: a process
// that works behind the scenes writes that down too.
func (l *Launcher) hear(ev providers.Event) error {
	if err := l.keep(ev); err != nil {
		return err
	}
	kind, prefix, text := l.heard(ev)
	if ev.Kind == providers.Spending {
		l.Announce(journal.Agent, kind, "%s", text)
		return nil
	}
	full := l.logFull()
	if !full || ev.Kind == providers.Finished {
		l.Announce(journal.Agent, kind, "%s", text)
	}
	err := l.LogLine(prefix + text)
	if !full && l.logFull() {
		l.Announce(journal.Agent, "warning", "the log of this attempt is full; what the agent prints from here on is dropped")
	}
	return err
}

func (l *Launcher) logFull() bool { return l.Log != nil && l.Log.Full() }

// heard is what an event is to whoever watches, and how its line in the log begins.
func (l *Launcher) heard(ev providers.Event) (kind, prefix, text string) {
	kind, prefix, text = "output", logPrefix(ev.Kind), ev.Text
	switch ev.Kind {
	case providers.Spending:
		kind, text = "usage", spelled(l.priced(*ev.Spent))
	case providers.Text:
		kind = "text"
	case providers.ToolCall:
		kind, text = "tool", strings.TrimSpace(ev.Tool+" "+ev.Text)
	case providers.ToolResult:
		kind = "result"
	case providers.Denied:
		kind, text = "warning", strings.TrimSpace(ev.Tool+" "+ev.Text)
	case providers.Retry, providers.Asking:
		kind = "warning"
	case providers.Finished:
		kind = "finished"
	case providers.Stderr:
		kind = "stderr"
	}
	if (kind == "output" || kind == "stderr") && providers.Asks(text) {
		kind, prefix = "warning", AsksPrefix
	}
	return kind, prefix, text
}

// logPrefix is what stands in front of the text of an event in the log. What the
// agent says, and lines of no protocol, stand there as they are.
func logPrefix(kind providers.Kind) string {
	switch kind {
	case providers.ToolCall:
		return "tool: "
	case providers.ToolResult:
		return "result: "
	case providers.Denied:
		return DeniedPrefix
	case providers.Asking:
		return AsksPrefix
	case providers.Retry:
		return warningPrefix
	case providers.Finished:
		return "finished: "
	case providers.Stderr:
		return "stderr: "
	}
	return ""
}
