package launch

import (
	"strings"

	"chant/engine/evidence/journal"
	"chant/providers"
)

// Prefixes of log lines about an agent that may be waiting for a person.
const (
	AsksPrefix   = "asks: "   // it has printed what looks like a question
	DeniedPrefix = "denied: " // a tool or a server was refused to it
)

// warningPrefix begins a log line about something that is not a failure.
const warningPrefix = "warning: "

// record writes an event to the log and passes it on. What the agent has used goes to the journal. Once the log is
// full, further output is not reported, since a run in the background would write it down as well.
func (l *Launcher) record(ev providers.Event) error {
	if err := l.keep(ev); err != nil {
		return err
	}
	kind, prefix, text := l.describe(ev)
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

// describe returns what kind of event it is for progress, the prefix of its line in the log, and its text.
func (l *Launcher) describe(ev providers.Event) (kind, prefix, text string) {
	kind, prefix, text = "output", logPrefix(ev.Kind), ev.Text
	switch ev.Kind {
	case providers.Spending:
		kind, text = "usage", describeUse(l.priced(*ev.Spent))
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

// logPrefix returns the prefix of an event in the log. What the agent says, and lines outside its protocol, have none.
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
