package cli

import (
	"encoding/json"
	"fmt"

	"chant/providers"
)

// loopDecoder reads the lines of chant's own loop.
type loopDecoder struct {
	protocol
	model string
	end   *loopLine
}

// loopLine has the fields of all lines. The usage is part of the line itself, except
// in the last line, where it is a field.
type loopLine struct {
	Type    string          `json:"type"`
	Session string          `json:"session"`
	Model   string          `json:"model"`
	Text    string          `json:"text"`
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	Error   bool            `json:"error"`
	OK      bool            `json:"ok"`
	Reason  string          `json:"reason"`
	Turns   int             `json:"turns"`
	Whole   providers.Usage `json:"usage"`
}

// Line implements providers.Decoder.
func (d *loopDecoder) Line(line []byte) []providers.Event {
	var l loopLine
	other, ok := d.read(line, &l)
	if !ok {
		return d.passStray(line, other)
	}
	switch l.Type {
	case "init":
		d.session, d.model = l.Session, l.Model
		return []providers.Event{{Kind: providers.Init, Session: l.Session, Text: fmt.Sprintf("model %s, session %s", l.Model, l.Session)}}
	case "usage":
		return d.usage(line, l)
	case "finished":
		d.end = &l
		text := "ok"
		if !l.OK {
			text = l.Reason
		}
		return []providers.Event{{Kind: providers.Finished, Text: text}}
	case "working":
		return nil
	}
	if event, ok := d.eventOf(l); ok {
		return []providers.Event{event}
	}
	return d.passStray(line, other)
}

// eventOf returns the event that a line reports.
func (d *loopDecoder) eventOf(l loopLine) (providers.Event, bool) {
	event := providers.Event{Tool: l.Tool, Text: l.Text}
	switch l.Type {
	case "text":
		event.Kind = providers.Text
	case "tool_call":
		event.Kind, event.Text = providers.ToolCall, plain(l.Input)
	case "tool_result":
		event.Kind = providers.ToolResult
		if l.Error {
			event.Text = "error: " + l.Text
		}
	case "retry":
		event.Kind = providers.Retry
	case "denied":
		d.refuse(l.Tool)
		event.Kind = providers.Denied
	default:
		return event, false
	}
	return event, true
}

func (d *loopDecoder) usage(line []byte, l loopLine) []providers.Event {
	var u providers.Usage
	if json.Unmarshal(line, &u) != nil {
		// The last line repeats it.
		return nil
	}
	return []providers.Event{spendingEvent(providers.Spent{Usage: usageOrNil(u), Turns: l.Turns, Model: l.Model})}
}

// Finish implements providers.Decoder.
func (d *loopDecoder) Finish(exit providers.Exit) providers.Verdict {
	v := providers.Verdict{SessionID: d.session, Model: d.model, Denied: d.deniedTools()}
	if d.end == nil {
		v.Reason = d.err.Or(d.said).After("no result, " + exit.String())
		return v
	}
	v.OK, v.Reason, v.Text, v.Turns, v.Usage = d.end.OK, d.end.Reason, d.end.Text, d.end.Turns, usageOrNil(d.end.Whole)
	if d.end.Model != "" {
		v.Model = d.end.Model
	}
	// The last line is written before the loop has ended, so its end has to agree.
	if v.OK && exit.Code != 0 {
		v.OK, v.Reason = false, d.err.After(exit.String())
	}
	if !v.OK {
		v.Fail(0, v.Reason)
	}
	return v
}

// usageOrNil returns a usage, nil if it is empty: a server that does not count tokens reports
// none.
func usageOrNil(u providers.Usage) *providers.Usage {
	// A server that does not count tokens reports none, and none would read as free.
	if u.Total() == 0 {
		return nil
	}
	return &u
}
