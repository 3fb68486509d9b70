package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"chant/providers"
)

// opencodeDecoder reads the JSON lines of opencode run. There is no event at the end: a
// session has ended well if its last step stopped by itself and no error was reported:
// opencode does not report an error after which it retries, so a reported error is final,
// whatever follows.
type opencodeDecoder struct {
	protocol
	answers answers
	text    string // what was said last
	stopped string // why the last step ended
	reason  string // of the last error, "" without one
	code    int    // its HTTP status, 0 if it is not known
}

type opencodeEvent struct {
	Type    string       `json:"type"`
	Session string       `json:"sessionID"`
	Part    opencodePart `json:"part"`
	Error   *struct {
		Name string `json:"name"`
		Data struct {
			Message string `json:"message"`
			Status  int    `json:"statusCode"`
		} `json:"data"`
	} `json:"error"`
}

type opencodePart struct {
	Message string `json:"messageID"`
	Text    string `json:"text"`
	Tool    string `json:"tool"`
	State   struct {
		Status string          `json:"status"`
		Input  json.RawMessage `json:"input"`
		Output string          `json:"output"`
		Error  string          `json:"error"`
	} `json:"state"`
	Reason string  `json:"reason"` // step-finish
	Cost   float64 `json:"cost"`
	Tokens struct {
		Total     providers.Count `json:"total"`
		Input     providers.Count `json:"input"`
		Output    providers.Count `json:"output"`
		Reasoning providers.Count `json:"reasoning"`
		Cache     struct {
			Read  providers.Count `json:"read"`
			Write providers.Count `json:"write"`
		} `json:"cache"`
	} `json:"tokens"`
}

// Line implements providers.Decoder.
func (d *opencodeDecoder) Line(line []byte) []providers.Event {
	var e opencodeEvent
	if other, ok := d.read(line, &e); !ok || e.Type == "" {
		return d.passStray(line, other)
	}
	var events []providers.Event
	if d.session == "" && e.Session != "" {
		d.session = e.Session
		events = append(events, providers.Event{Kind: providers.Init, Session: e.Session, Text: "session " + e.Session})
	}
	switch e.Type {
	case "step_start":
		d.stopped = ""
	case "text":
		d.text = e.Part.Text
		events = append(events, providers.Event{Kind: providers.Text, Text: e.Part.Text})
	case "tool_use":
		// What was said before a call is not the result.
		d.text = ""
		events = append(events, d.tool(e.Part)...)
	case "step_finish":
		events = append(events, d.step(e.Part)...)
	case "error":
		// An error after which opencode asks again is only in its log, so this one is final.
		d.reason = errorText(e)
		if e.Error != nil {
			d.code = e.Error.Data.Status
		}
		events = append(events, providers.Event{Kind: providers.Finished, Text: "error"})
	}
	return events
}

// Stderr implements providers.StderrListener. Only there, among the errors that it logs, it reports that it asks again.
// Those of the small model, which names the session, are beside the work.
func (d *opencodeDecoder) Stderr(line string) []providers.Event {
	if strings.Contains(line, ` message="stream error" `) {
		// The small model only names the session.
		if strings.Contains(line, " small=true ") {
			return nil
		}
		_, why, _ := strings.Cut(line, " error.error=")
		return []providers.Event{{Kind: providers.Retry, Text: strings.Trim(why, `"`)}}
	}
	return d.protocol.Stderr(line)
}

// tool reports a call and its answer, which arrive together.
func (d *opencodeDecoder) tool(p opencodePart) []providers.Event {
	call := providers.Event{Kind: providers.ToolCall, Tool: p.Tool, Text: plain(p.State.Input)}
	answer := providers.Event{Kind: providers.ToolResult, Tool: p.Tool, Text: p.State.Output}
	if p.State.Status == "error" {
		answer.Text = "error: " + p.State.Error
		// A refusal has no mark of its own, only these words.
		if strings.Contains(p.State.Error, "rejected permission") || strings.Contains(p.State.Error, "unavailable tool") || strings.Contains(p.State.Error, "prevents you from using") {
			d.refuse(p.Tool)
			answer.Kind, answer.Text = providers.Denied, p.State.Error
		}
	}
	return []providers.Event{call, answer}
}

// step adds the usage of an answer of the model. Without prices of its own opencode
// reports a cost of 0, which means unknown.
func (d *opencodeDecoder) step(p opencodePart) []providers.Event {
	d.stopped = p.Reason
	d.answers.add("", p.usage())
	// Without prices of its own opencode reports 0, which means unknown.
	if p.Cost > 0 {
		d.answers.addCost(p.Cost)
	}
	events := []providers.Event{d.answers.event("")}
	if p.Reason != "tool-calls" {
		events = append(events, providers.Event{Kind: providers.Finished, Text: p.Reason})
	}
	return events
}

// usage is nil if it is unknown.
func (p opencodePart) usage() *providers.Usage {
	t := p.Tokens
	u := providers.Counts{Input: t.Input, CachedInput: t.Cache.Read, CacheWrites: t.Cache.Write, Output: t.Output}.Usage()
	switch {
	case u == nil || t.Total.Odd || t.Total.N == 0 && t.Reasoning.Odd:
		return nil
	// Whether reasoning is a part of the output depends on the model's API, but the total holds all.
	case t.Total.N > 0:
		u.Output = max(u.Output, t.Total.N-u.Input-u.CachedInput-u.CacheWrites)
	default:
		u.Output += t.Reasoning.N
	}
	return u
}

func errorText(e opencodeEvent) string {
	if e.Error == nil {
		return "error without a word"
	}
	text := e.Error.Data.Message
	if text == "" {
		text = e.Error.Name
	}
	if e.Error.Data.Status != 0 {
		text = fmt.Sprintf("API error %d: %s", e.Error.Data.Status, text)
	}
	return text
}

// Finish implements providers.Decoder.
func (d *opencodeDecoder) Finish(exit providers.Exit) providers.Verdict {
	v := providers.Verdict{SessionID: d.session, Text: d.text, Denied: d.deniedTools(), Turns: d.answers.turns, CostUSD: d.answers.cost}
	if spent := d.answers.event("").Spent; spent.Turns > 0 {
		v.Usage = spent.Usage
	}
	switch {
	// An error counts whatever follows it, and there is no event at the end: the last step has to have stopped by itself.
	case d.reason != "":
		v.Fail(d.code, d.reason)
	case d.stopped == "stop":
		v.OK = true
	case d.stopped != "":
		v.Reason = "the last step ended with " + quoteJSON(d.stopped) + ", not because the work was done"
	default:
		d.failWithoutEnd(&v, "session", exit)
	}
	return v
}
